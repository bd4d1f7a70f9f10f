/**
 * What each defect of the reference runtime must do to the verdicts, no more and no less. Declared, not recorded:
 * where a line has to change, a check or a defect has changed its meaning.
 */

import type { Expectation } from '../expectation.ts'

export const expectedOfRuntime: Readonly<Record<string, Expectation>> = {}
