/** Authorization requests that clients pushed, until they are used once (RFC 9126). */
import { OAuthError } from '../http/oauth-error.ts'
import {
  parseParameters,
  refuseDuplicates,
  requireParameter,
  type Parameters,
} from '../http/parameters.ts'
import type { ProviderState } from '../provider/state.ts'

/** Seconds that a pushed request can be used (RFC 9126 §2.2 suggests 5 to 600). */
export const pushedLifetime = 60

/** RFC 9126 §2.2. */
const prefix = 'urn:ietf:params:oauth:request_uri:'

/** Keeps a request, form-encoded as it came, and returns its request URI. */
export async function keepPushed(
  { pushed, opaque, clock }: ProviderState,
  clientId: string,
  form: string,
): Promise<string> {
  const requestUri = opaque(prefix)
  const lifetime = pushedLifetime * 1000
  await pushed.set(requestUri, { clientId, form, expiresAt: clock.now() + lifetime }, lifetime)
  return requestUri
}

/**
 * Takes a pushed request out: it can be used once, by the client that pushed it (RFC 9126 §4, §7.3).
 * Parameters beside the request URI are ignored (RFC 9101 §5).
 * @throws OAuthError
 */
export async function takePushed(
  { pushed, clock }: ProviderState,
  requestUri: string,
  direct: Parameters,
): Promise<Parameters> {
  refuseDuplicates(direct)
  const clientId = requireParameter(direct, 'client_id')
  // OpenID Connect Core §6.2: what stands elsewhere is not fetched
  if (!requestUri.startsWith(prefix)) {
    throw new OAuthError('request_uri_not_supported', 'The request URI was not issued here')
  }
  const mine = (await pushed.get(requestUri))?.clientId === clientId
  const entry = mine ? await pushed.take(requestUri) : undefined
  if (!entry || clock.now() >= entry.expiresAt) {
    throw new OAuthError('invalid_request_uri', 'The request URI is unknown, used or expired')
  }
  return parseParameters(entry.form)
}
