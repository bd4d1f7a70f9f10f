/** Requirements: what no outside observer can judge. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'mcp-auth-challenge/server/enforcement-elsewhere',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Server Behavior',
    text: 'The actual enforcement of tokens is left to the authorization server.',
    excluded:
      'It says who is responsible, not what happens; what can be observed of it, that nothing is served without a valid token, is enforce.',
  },
  {
    id: 'mcp-auth-challenge/server/support',
    keyword: 'MAY',
    basis: 'specification',
    source: 'SEP-1489, Compatibility',
    text: 'Servers may choose whether they implement this.',
    excluded: 'Whoever certifies for this profile has chosen.',
  },
]
