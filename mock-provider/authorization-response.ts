/** Sends the user agent back to the client (RFC 6749 §4.1.2). */
import type { ResponseTarget } from './authorization-request.ts'
import type { ResponseParameters } from './faults/fault.ts'
import { redirect, type Reply } from './reply.ts'

/**
 * Adds the parameters to the redirect URI. The URI itself is left as it was registered, byte for
 * byte, and keeps its query (RFC 6749 §3.1.2).
 */
export function respond(
  { redirectUri }: Pick<ResponseTarget, 'redirectUri'>,
  parameters: ResponseParameters,
): Reply {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, value)
  }
  return redirect(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.toString()}`)
}
