/** Somebody else answers in place of the provider, by a certificate that is not its own: nothing is to be told them. */

import { inconclusive, NotOffered, watched } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { impostures, leavesImpostor } from '../impostor.ts'
import { check, type Judge } from '../judges.ts'
import { scenario, type ClientScenario } from './define.ts'
import { expireToken, ownInstance } from './drives.ts'
import { needsOwnInstance, noRefreshTokens, storedTokens } from './needs.ts'

/** By what they tell: a request without secrets gives nothing away. */
const tellsNothing =
  (isSecret = (_kind: string) => true): Judge =>
  (t) => {
    const judged = leavesImpostor(
      t,
      ({ secrets = [] }) => secrets.some(({ kind }) => isSecret(kind)),
      "the server's certificate was not checked (RFC 6749 §10.9): an attacker on the network can read this request",
    )
    return judged.outcome === 'pass' && watched(t) === undefined
      ? inconclusive('the run did not watch whether the client tries again')
      : judged
  }

/** At the token endpoint. */
export function impostorScenarios({ control }: Handoff): readonly ClientScenario[] {
  return impostures.map(([imposture, what]) =>
    scenario({
      id: `certificate-of-${imposture}`,
      title: `the token endpoint presents a certificate ${what}`,
      control,
      ownInstance: true,
      notApplicable: needsOwnInstance,
      async drive({ ownInstance }) {
        const { begin, user, impostor, observe } = await ownInstance()
        // Its keys take a while to make, and the call is not to time out meanwhile.
        const takeOver = await impostor(imposture)
        const call = begin(user)
        const flow = await user.consent(call)
        takeOver()
        await user.follow(flow)
        // Whether the call ends is for others to judge.
        await call.settle()
        await observe()
      },
      checks: [
        check(
          'oauth-client/verify-provider-certificate',
          'does not send it the code',
          tellsNothing(),
        ),
      ],
    }),
  )
}

/** At the token endpoint once more, where code of its own may make the request. */
export function impostorAtRefresh(handoff: Handoff): ClientScenario {
  return scenario({
    id: 'certificate-of-impostor-at-refresh',
    title:
      'the access token expires, and the token endpoint presents a certificate from an authority that the implementation does not know',
    control: handoff.storedControl,
    ownInstance: true,
    notApplicable: (declared) => noRefreshTokens(declared) ?? needsOwnInstance(declared),
    needs: storedTokens(handoff),
    async drive(given) {
      const fixtures = await ownInstance(given)
      const { begin, user, impostor, observe } = fixtures
      const takeOver = await impostor('unknown-authority')
      await expireToken(fixtures)
      takeOver()
      const how = await begin(user).answered()
      await observe()
      // Whoever could not refresh may ask its user.
      if (how === 'asked') throw new NotOffered('it asked its user again')
    },
    checks: [
      check(
        'oauth-client/verify-provider-certificate',
        'does not send it the refresh token',
        // An expired access token is for the API: that is judged where the API is another.
        tellsNothing((kind) => kind !== 'access_token'),
      ),
    ],
  })
}

/** At the API, for a client whose provider is asked for nothing else meanwhile. */
export function impostorAtApi(handoff: Handoff): ClientScenario {
  return scenario({
    id: 'certificate-of-impostor-at-api',
    title:
      'an authorized user calls again, and the protected API presents a certificate from an authority that the implementation does not know',
    control: handoff.storedControl,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    needs: storedTokens(handoff),
    async drive({ ownInstance }) {
      const { begin, user, impostor, observe } = await ownInstance()
      const takeOver = await impostor('unknown-authority')
      const first = begin(user)
      await user.approve(first)
      await first.ended()
      takeOver()
      const how = await begin(user).answered()
      await observe()
      // Whoever has tried the API may ask its user for a better token.
      if (how === 'asked') throw new NotOffered('it asked its user again')
    },
    checks: [
      check('oauth-client/verify-api-certificate', 'does not send it the token', tellsNothing()),
    ],
  })
}
