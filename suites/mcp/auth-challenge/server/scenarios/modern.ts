import { acceptsToken } from '../judges/access.ts'
import { challengeForm, challengeParses, markError, resultType } from '../judges/challenge.ts'
import { needsModern } from '../conditions.ts'
import { check, scenario } from './define.ts'

const revision = '2026-07-28'

export const modern = scenario({
  id: 'modern',
  title: 'a call without a token is challenged, and served with one, on revision 2026-07-28',
  notApplicable: needsModern,
  async drive({ call, follow, callSignedIn }) {
    const chain = await follow(await call({ revision }))
    await callSignedIn(chain, { revision })
  },
  checks: [
    check('mcp-auth-challenge/server/result-type', 'says that the result is complete', resultType),
    check('mcp-auth-challenge/server/mark-error', 'marks the challenge as an error', markError),
    check('mcp-auth-challenge/server/challenge-form', 'puts it where it belongs', challengeForm),
    check(
      'mcp-auth-challenge/server/challenge-parses',
      'challenges by the grammar',
      challengeParses,
    ),
    check('mcp-auth-challenge/server/accept-token', 'serves the call with the token', acceptsToken),
  ],
})
