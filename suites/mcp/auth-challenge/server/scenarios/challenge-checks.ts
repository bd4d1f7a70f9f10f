/** What is asked of every result that challenges. */

import { worstOf } from '../../../../../harness/engine/index.ts'
import { challengeForm, challengeParses, contentPresent, markError } from '../judges/challenge.ts'
import { callsOf } from '../view.ts'
import { challenged, check, type Judge } from './define.ts'

type JudgeOf = (call?: string) => Judge

const checksOf = (asked: (judgeOf: JudgeOf) => Judge) => [
  check(
    'mcp-auth-challenge/server/mark-error',
    'marks the challenge as an error',
    asked(markError),
  ),
  check('mcp-auth-challenge/server/content-present', 'says it in words', asked(contentPresent)),
  check(
    'mcp-auth-challenge/server/challenge-form',
    'puts it where it belongs',
    asked(challengeForm),
  ),
  check(
    'mcp-auth-challenge/server/challenge-parses',
    'challenges by the grammar',
    asked(challengeParses),
  ),
]

/** The checks of the challenge to that call. */
export const challengeChecks = (call: string = challenged) => checksOf((judgeOf) => judgeOf(call))

/** The same of every challenge of a scenario: one for a token is built like the first (docs/readings.md, Wrong tokens). */
export const everyChallengeChecks = checksOf((judgeOf) => (t, context) => {
  const all = callsOf(t).filter(({ challenge }) => challenge !== undefined)
  const judged = all.map(({ name }) => judgeOf(name)(t, context))
  return worstOf(judged) ?? judged[0] ?? judgeOf()(t, context)
})
