/** Client authentication by a signed assertion (RFC 7521 §4.2, RFC 7523 §2.2, OpenID Connect Core §9). */
import { clockTolerance, verifyJwt } from '../crypto/verify-jwt.ts'
import type { ProviderState } from '../provider/state.ts'
import { isFirstUse } from '../tokens/replays.ts'
import { clientKeys } from './client-keys.ts'
import { assertionAlgorithms, type AssertionMethod, type Client } from './client.ts'

/** Seconds: an assertion that is good for longer is refused (RFC 7523 §3, item 4). */
const longestLifetime = 3600

/**
 * Tells what is wrong with an assertion; nothing, if it proves that it comes from the client.
 * A client's clock does not move with ours, so its times are compared with the unmoved one.
 */
export async function assertionProblem(
  state: ProviderState,
  client: Client,
  method: AssertionMethod,
  assertion: string,
  endpoint: string,
): Promise<string | undefined> {
  const { settings } = state
  const now = settings.clock.now()
  const result = await verifyJwt(assertion, await keyOf(state, client, method), {
    algorithms: client.authSigningAlg ? [client.authSigningAlg] : [...assertionAlgorithms[method]],
    // RFC 7523 §3, items 1 to 4; OpenID Connect Core §9 requires jti, without which replay goes unseen
    issuer: client.clientId,
    subject: client.clientId,
    requiredClaims: ['aud', 'exp', 'jti'],
    currentDate: new Date(now),
  })
  if ('problem' in result) return `the client assertion ${result.problem}`
  const { aud = [], exp = 0, iat = 0, jti } = result.claims
  // RFC 7523 §3, item 3; RFC 9126 §2. Whom else it were for could replay it here, or be tricked into it
  const own = [settings.issuer, `${settings.issuer}/token`, endpoint]
  if (![aud].flat().every((audience) => own.includes(audience))) {
    return 'the audience of the client assertion must be the issuer or the token endpoint alone'
  }
  if (exp * 1000 > now + longestLifetime * 1000) return 'the client assertion is valid for too long'
  if (iat * 1000 > now + clockTolerance * 1000) return 'the client assertion comes from the future'
  if (typeof jti !== 'string') return 'the jti of the client assertion is not a string'
  // RFC 7523 §3, item 7
  const remaining = (exp + clockTolerance) * 1000 - now
  if (!(await isFirstUse(state, `assertion ${client.clientId} ${jti}`, remaining))) {
    return 'the client assertion has been used before'
  }
  return undefined
}

async function keyOf(state: ProviderState, client: Client, method: AssertionMethod) {
  // RFC 7523 §2.2; OpenID Connect Core §9: the octets of the UTF-8 representation of the secret
  if (method === 'client_secret_jwt') return new TextEncoder().encode(client.clientSecret)
  return clientKeys(state, client)
}
