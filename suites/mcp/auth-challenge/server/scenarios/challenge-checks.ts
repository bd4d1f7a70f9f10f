/** What is asked of every result that challenges. */

import { challengeForm, challengeParses, contentPresent, markError } from '../judges/challenge.ts'
import { challenged, check } from './define.ts'

/** The checks of the challenge to that call. */
export const challengeChecks = (call: string = challenged) => [
  check('mcp-auth-challenge/server/mark-error', 'marks the challenge as an error', markError(call)),
  check('mcp-auth-challenge/server/content-present', 'says it in words', contentPresent(call)),
  check(
    'mcp-auth-challenge/server/challenge-form',
    'puts it where it belongs',
    challengeForm(call),
  ),
  check(
    'mcp-auth-challenge/server/challenge-parses',
    'challenges by the grammar',
    challengeParses(call),
  ),
]
