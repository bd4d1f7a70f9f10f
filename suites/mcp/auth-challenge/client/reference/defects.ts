/**
 * Deliberate defects of this client, one at a time: what a conformance suite has to notice, and what
 * an integrator may want to see it notice. `varied.ts` runs the client with one of them.
 */

import type { Defect } from './defects/defect.ts'
import { followingDefects } from './defects/following.ts'
import { leakingDefects } from './defects/leaking.ts'
import { requestingDefects } from './defects/requesting.ts'
import { retryingDefects } from './defects/retrying.ts'
import { trustingDefects } from './defects/trusting.ts'

export type { Defect } from './defects/defect.ts'

export const defects: readonly Defect[] = [
  ...followingDefects,
  ...trustingDefects,
  ...retryingDefects,
  ...requestingDefects,
  ...leakingDefects,
]
