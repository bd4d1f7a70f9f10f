import { acceptsToken, servesNobody, servesNothing } from '../judges/access.ts'
import { resultType } from '../judges/challenge.ts'
import { metadataUrl } from '../judges/metadata.ts'
import { needsModern } from '../conditions.ts'
import { challengeChecks } from './challenge-checks.ts'
import { check, control, scenario } from './define.ts'

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
    check(
      'mcp-auth-challenge/server/result-type',
      'says that the result is complete',
      resultType(),
    ),
    ...challengeChecks(),
    check('mcp-auth-challenge/server/metadata-url', 'names metadata that is there', metadataUrl()),
    check('mcp-auth-challenge/server/accept-token', 'serves the call with the token', acceptsToken),
    check('mcp-auth-challenge/server/enforce', 'serves nothing without one', servesNobody),
  ],
})

export const modernFlawedTokens = scenario({
  id: 'modern-flawed-tokens',
  title: 'calls on revision 2026-07-28 with a token that was altered, and one for another resource',
  control,
  notApplicable: needsModern,
  async drive({ call, follow, callFlawed }) {
    const chain = await follow(await call({ revision }))
    await callFlawed('altered', chain, { revision })
    await callFlawed('other-audience', chain, { revision })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'serves nothing for such tokens',
      servesNothing('a token that was altered, or is for another resource,'),
    ),
  ],
})
