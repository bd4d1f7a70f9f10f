import { acceptsToken, servesNobody } from '../judges/access.ts'
import { noErrorCode } from '../judges/challenge.ts'
import {
  chainResolves,
  metadataCovers,
  metadataExact,
  metadataUrl,
  metadataValid,
} from '../judges/metadata.ts'
import { challengeChecks } from './challenge-checks.ts'
import { check, scenario } from './define.ts'

export const challengedThenServed = scenario({
  id: 'challenged-then-served',
  title: 'a call without a token is challenged; the challenge is followed; the call is served',
  async drive({ call, follow, callSignedIn }) {
    const chain = await follow(await call())
    await callSignedIn(chain)
  },
  checks: [
    ...challengeChecks(),
    check(
      'mcp-auth-challenge/server/no-error-code',
      'names no error when there is no token',
      noErrorCode(),
    ),
    check('mcp-auth-challenge/server/metadata-url', 'names metadata that is there', metadataUrl()),
    check('mcp-auth-challenge/server/metadata-valid', 'serves valid metadata', metadataValid),
    check(
      'mcp-auth-challenge/server/metadata-covers-endpoint',
      'describes itself and no other server',
      metadataCovers,
    ),
    check('mcp-auth-challenge/server/metadata-exact', 'names itself exactly', metadataExact),
    check('mcp-auth-challenge/server/chain-resolves', 'leads to the provider', chainResolves),
    check('mcp-auth-challenge/server/accept-token', 'serves the call with the token', acceptsToken),
    check('mcp-auth-challenge/server/enforce', 'serves nothing without one', servesNobody),
  ],
})
