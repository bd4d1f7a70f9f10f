/** Client authentication, exactly by the methods that a client is registered for (RFC 6749 §2.3, §3.2.1). */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientRegistry, RegisteredClient } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import type { PresentedClient } from './presented-client.ts'

/**
 * Returns the client that a request comes from.
 * @throws OAuthError `invalid_request` when more than one method is used, otherwise `invalid_client`
 *   (RFC 6749 §5.2)
 */
export async function authenticateClient(
  presented: PresentedClient,
  clients: ClientRegistry,
): Promise<RegisteredClient> {
  if (presented.problem === 'ambiguous') {
    throw new OAuthError('invalid_request', 'more than one client authentication method')
  }
  const client = await clients.get(presented.clientId)
  if (
    presented.problem === 'malformed' ||
    !client?.authMethods.includes(presented.method) ||
    !sameSecret(presented.secret, client.clientSecret)
  ) {
    throw invalidClient(presented)
  }
  return client
}

/**
 * As `authenticateClient`, for endpoints that public clients may not use (RFC 7662 §2.1).
 * @throws OAuthError
 */
export async function authenticateConfidentialClient(
  presented: PresentedClient,
  clients: ClientRegistry,
): Promise<RegisteredClient> {
  const client = await authenticateClient(presented, clients)
  if (presented.method === 'none') throw invalidClient(presented)
  return client
}

/** RFC 6749 §5.2: a client that used the Authorization header is told the matching scheme. */
function invalidClient({ method }: PresentedClient): OAuthError {
  const challenge = { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' }
  const headers = method === 'client_secret_basic' ? challenge : {}
  return new OAuthError('invalid_client', 'client authentication failed', { status: 401, headers })
}

function sameSecret(presented: string | undefined, registered: string | undefined): boolean {
  if (presented === undefined || registered === undefined) return presented === registered
  return timingSafeEqual(digest(presented), digest(registered))
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
