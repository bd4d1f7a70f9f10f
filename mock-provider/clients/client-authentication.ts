/** Client authentication, exactly by the methods that a client is registered for (RFC 6749 §2.3, RFC 7523 §2.2). */
import { sameSecret } from '../crypto/same-secret.ts'
import type { Exchange } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { ProviderState } from '../provider/state.ts'
import { assertionProblem } from './client-assertion.ts'
import { findClient } from './client-id-metadata.ts'
import type { RegisteredClient } from './client.ts'
import { presentedClient, type PresentedClient } from './presented-client.ts'

/**
 * Returns the client that a request comes from.
 * @throws OAuthError `invalid_request` when more than one method is used, otherwise `invalid_client`
 *   (RFC 6749 §5.2)
 */
export async function authenticateClient(
  state: ProviderState,
  { headers, form, url }: Exchange,
): Promise<RegisteredClient> {
  const presented = presentedClient(headers, form)
  if (presented.problem === 'ambiguous') {
    throw new OAuthError('invalid_request', 'more than one client authentication method')
  }
  const client = await findClient(state, presented.clientId)
  const { method, assertion, problem } = presented
  if (problem === 'malformed') throw invalidClient(presented, malformed(method))
  if (client === undefined) throw invalidClient(presented, 'the client is not registered')
  if (!client.authMethods.includes(method)) {
    const registered = client.authMethods.join(', ')
    throw invalidClient(presented, `the client is registered for ${registered}, and used ${method}`)
  }
  if (method === 'private_key_jwt' || method === 'client_secret_jwt') {
    const endpoint = new URL(url.pathname, state.settings.issuer).href
    const wrong = await assertionProblem(state, client, method, assertion ?? '', endpoint)
    if (wrong !== undefined) throw invalidClient(presented, wrong)
  } else if (method !== 'none' && !sameSecret(presented.secret ?? '', client.clientSecret ?? '')) {
    throw invalidClient(presented, wrongSecret(presented, client))
  }
  if (method !== 'none' && isExpired(client, state.clock.now())) {
    throw invalidClient(presented, 'the client secret has expired')
  }
  return client
}

/** RFC 7591 §3.2.1: in seconds. */
function isExpired({ clientSecretExpiresAt = Infinity }: RegisteredClient, now: number): boolean {
  return now >= clientSecretExpiresAt * 1000
}

/**
 * As `authenticateClient`, for endpoints that public clients may not use (RFC 7662 §2.1).
 * @throws OAuthError
 */
export async function authenticateConfidentialClient(
  state: ProviderState,
  exchange: Exchange,
): Promise<RegisteredClient> {
  const client = await authenticateClient(state, exchange)
  const presented = presentedClient(exchange.headers, exchange.form)
  if (presented.method === 'none') throw invalidClient(presented, 'the client did not authenticate')
  return client
}

function malformed(method: string): string {
  return method === 'client_secret_basic'
    ? 'the Authorization header is no Basic of two form-urlencoded parts (RFC 6749 §2.3.1)'
    : 'the client assertion is none, or names another client (RFC 7523 §2.2)'
}

function wrongSecret(
  { method, encodedSecret }: PresentedClient,
  { clientSecret = '' }: RegisteredClient,
): string {
  return encodedSecret !== undefined && sameSecret(encodedSecret, clientSecret)
    ? 'the client secret in the Authorization header is not form-urlencoded (RFC 6749 §2.3.1)'
    : `the client secret is wrong (${method})`
}

/** RFC 6749 §5.2: a client that used the Authorization header is told the matching scheme. */
function invalidClient({ method }: PresentedClient, problem: string): OAuthError {
  const challenge = { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' }
  const headers = method === 'client_secret_basic' ? challenge : {}
  return new OAuthError('invalid_client', problem, { status: 401, headers })
}
