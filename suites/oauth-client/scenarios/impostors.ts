/** Somebody else answers in place of the provider, by a certificate that is not its own: nothing is to be told them. */

import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  violation,
  watched,
} from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check, type Judge } from '../judges.ts'
import { scenario, type ClientScenario } from './define.ts'
import { expireToken, ownInstance } from './drives.ts'
import { needsOwnInstance, noRefreshTokens, storedTokens } from './needs.ts'

const impostures = [
  ['unknown-authority', 'from an authority that the implementation does not know'],
  ['another-name', 'of another host'],
] as const

/**
 * Who checks certificates connects, and leaves without a request. Every connection that was open before has ended, and no
 * session can be resumed, so that a request after the change was made in spite of the certificate.
 */
const tellsNothing =
  (isSecret = (_kind: string) => true): Judge =>
  (t) => {
    const [change] = t.steps('impostor')
    if (!change) return inconclusive('the harness did not change the certificate')
    const told = t
      .requests('provider')
      .find(
        (request) =>
          isAfter(request, change) && (request.secrets ?? []).some(({ kind }) => isSecret(kind)),
      )
    if (told) {
      const kinds = new Set((told.secrets ?? []).map(({ kind }) => kind))
      return violation(
        "the server's certificate was not checked (RFC 6749 §10.9): an attacker on the network can read this request",
        {
          expected: 'the client closes the connection without a request',
          actual: `a request with ${[...kinds].join(', ')}`,
        },
        cite(change, told),
      )
    }
    const left = t.steps('connection-unused').find((step) => isAfter(step, change))
    if (!left)
      return inconclusive('the client made no connection while the wrong certificate was in use')
    if (watched(t) === undefined)
      return inconclusive('the run did not watch whether the client tries again')
    return pass('the client closed the connection without a request', cite(change, left))
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
