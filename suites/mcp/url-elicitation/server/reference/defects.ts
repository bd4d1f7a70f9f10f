/**
 * Deliberate defects of this server, one at a time: what a conformance suite has to notice, and what
 * an integrator may want to see it notice. `varied.ts` runs the server with one of them.
 */

import { accessDefects } from './defects/access.ts'
import { answerDefects } from './defects/answers.ts'
import { askingDefects } from './defects/asking.ts'
import { authorizationDefects } from './defects/authorization.ts'
import type { Defect } from './defects/defect.ts'
import { leakDefects } from './defects/leaks.ts'
import { tokenDefects } from './defects/tokens.ts'

export type { Defect } from './defects/defect.ts'

export const defects: readonly Defect[] = [
  ...askingDefects,
  ...answerDefects,
  ...accessDefects,
  ...authorizationDefects,
  ...tokenDefects,
  ...leakDefects,
]
