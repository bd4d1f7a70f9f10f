import { acceptsToken, servesNobody, servesNothing } from '../judges/access.ts'
import { everyResultType, resultType } from '../judges/challenge.ts'
import { metadataUrl } from '../judges/metadata.ts'
import { needsModern } from '../conditions.ts'
import { tokenForms } from '../../../server/flawed-tokens.ts'
import { challengeChecks, everyChallengeChecks } from './challenge-checks.ts'
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
  title: 'calls on revision 2026-07-28 with tokens that are wrong in one way each',
  control,
  notApplicable: needsModern,
  async drive({ call, follow, callFlawed }) {
    const chain = await follow(await call({ revision }))
    for (const form of tokenForms) await callFlawed(form, chain, { revision })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'serves nothing for such tokens',
      servesNothing('a token that is wrong'),
    ),
    check(
      'mcp-auth-challenge/server/result-type',
      'says of every result that it is complete',
      everyResultType,
    ),
    ...everyChallengeChecks,
  ],
})
