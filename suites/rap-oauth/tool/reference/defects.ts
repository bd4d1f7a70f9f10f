/**
 * Deliberate defects of this tool, one at a time: what a conformance suite has to notice, and what
 * an integrator may want to see it notice. `varied.ts` runs the tool with one of them.
 */

import { authorizationRequestDefects } from './defects/authorization-request.ts'
import { callbackDefects } from './defects/callback.ts'
import type { Defect } from './defects/defect.ts'
import { exchangeDefects } from './defects/exchange.ts'
import { failureDefects } from './defects/failures.ts'
import { invocationDefects } from './defects/invocation.ts'
import { laterFlowDefects } from './defects/later-flows.ts'
import { leakDefects } from './defects/leaks.ts'
import { messageDefects } from './defects/messages.ts'
import { restartDefects } from './defects/restarts.ts'
import { tokenResponseDefects } from './defects/token-responses.ts'
import { tokenDefects } from './defects/tokens.ts'

export type { Defect } from './defects/defect.ts'

export const defects: readonly Defect[] = [
  ...invocationDefects,
  ...messageDefects,
  ...authorizationRequestDefects,
  ...callbackDefects,
  ...exchangeDefects,
  ...tokenResponseDefects,
  ...failureDefects,
  ...tokenDefects,
  ...restartDefects,
  ...laterFlowDefects,
  ...leakDefects,
]
