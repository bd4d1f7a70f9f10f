/**
 * Deliberate defects of this client application, one at a time: what a conformance suite has to notice, and what an
 * integrator may want to see it notice. `varied.ts` runs it with one of them.
 */

import { answeringDefects } from './defects/answering.ts'
import type { Defect } from './defects/defect.ts'
import { openingDefects } from './defects/opening.ts'

export type { Defect } from './defects/defect.ts'

export const defects: readonly Defect[] = [...openingDefects, ...answeringDefects]
