/**
 * Deliberate defects of this client, one at a time: what a conformance suite has to notice, and what
 * an integrator may want to see it notice. `varied.ts` runs the client with one of them.
 */

import { answeringDefects } from './defects/answering.ts'
import { declaringDefects } from './defects/declaring.ts'
import type { Defect } from './defects/defect.ts'
import { openingDefects } from './defects/opening.ts'
import { retryingDefects } from './defects/retrying.ts'
import { showingDefects } from './defects/showing.ts'

export type { Defect } from './defects/defect.ts'

export const defects: readonly Defect[] = [
  ...declaringDefects,
  ...showingDefects,
  ...openingDefects,
  ...answeringDefects,
  ...retryingDefects,
]
