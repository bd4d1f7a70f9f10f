/**
 * Deliberate defects of this runtime, one at a time: what a conformance suite has to notice, and what
 * an integrator may want to see it notice. `varied.ts` runs the runtime with one of them.
 */

import { authorizationDefects } from './defects/authorization.ts'
import { callbackDefects } from './defects/callbacks.ts'
import type { Defect } from './defects/defect.ts'
import { invocationDefects } from './defects/invocation.ts'
import { pendingDefects } from './defects/pending.ts'
import { resultDefects } from './defects/results.ts'

export type { Defect } from './defects/defect.ts'

export const defects: readonly Defect[] = [
  ...invocationDefects,
  ...callbackDefects,
  ...authorizationDefects,
  ...pendingDefects,
  ...resultDefects,
]
