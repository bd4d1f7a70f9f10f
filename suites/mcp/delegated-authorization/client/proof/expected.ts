/**
 * What each defect of the reference client must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import type { Expectation } from '../../../../../tests/proof/role.ts'

export const expected: Readonly<Record<string, Expectation>> = {}
