/**
 * Deliberate defects of this agent, one at a time: what a conformance suite has to notice, and what an integrator may
 * want to see it notice. `varied.ts` runs the agent with one of them.
 */

import { answerDefects } from './defects/answers.ts'
import { askingDefects } from './defects/asking.ts'
import { callbackDefects } from './defects/callbacks.ts'
import type { Defect } from './defects/defect.ts'
import { exchangeDefects } from './defects/exchange.ts'
import { leakDefects } from './defects/leaks.ts'
import { replayDefects } from './defects/replays.ts'
import { tokenDefects } from './defects/tokens.ts'

export const defects: readonly Defect[] = [
  ...askingDefects,
  ...answerDefects,
  ...replayDefects,
  ...callbackDefects,
  ...exchangeDefects,
  ...tokenDefects,
  ...leakDefects,
]
