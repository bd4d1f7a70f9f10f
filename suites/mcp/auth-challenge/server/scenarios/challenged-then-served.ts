import { acceptsToken, servesNobody } from '../judges/access.ts'
import {
  challengeForm,
  challengeParses,
  contentPresent,
  markError,
  noErrorCode,
} from '../judges/challenge.ts'
import {
  chainResolves,
  metadataCovers,
  metadataExact,
  metadataUrl,
  metadataValid,
} from '../judges/metadata.ts'
import { check, scenario } from './define.ts'

export const challengedThenServed = scenario({
  id: 'challenged-then-served',
  title: 'a call without a token is challenged; the challenge is followed; the call is served',
  async drive({ call, follow, callSignedIn }) {
    const chain = await follow(await call())
    await callSignedIn(chain)
  },
  checks: [
    check('mcp-auth-challenge/server/mark-error', 'marks the challenge as an error', markError),
    check('mcp-auth-challenge/server/content-present', 'says it in words', contentPresent),
    check('mcp-auth-challenge/server/challenge-form', 'puts it where it belongs', challengeForm),
    check(
      'mcp-auth-challenge/server/challenge-parses',
      'challenges by the grammar',
      challengeParses,
    ),
    check(
      'mcp-auth-challenge/server/no-error-code',
      'names no error when there is no token',
      noErrorCode,
    ),
    check('mcp-auth-challenge/server/metadata-url', 'names metadata that is there', metadataUrl),
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
