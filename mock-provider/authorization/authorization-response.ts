/** Sends the user agent back to the client (RFC 6749 §4.1.2, OAuth 2.0 Multiple Response Types §2.1). */
import type { ResponseParameters } from '../faults/fault.ts'
import { redirect, type Reply } from '../http/reply.ts'
import { formPostPage } from '../pages/form-post-page.ts'
import type { ResponseTarget } from './authorization-request.ts'

/**
 * Adds the parameters to the redirect URI, or posts them to it. The URI itself is left as it was
 * registered, byte for byte, and keeps its query (RFC 6749 §3.1.2).
 */
export async function respond(
  { redirectUri, responseMode }: Pick<ResponseTarget, 'redirectUri' | 'responseMode'>,
  parameters: ResponseParameters,
): Promise<Reply> {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) given.set(name, value)
  }
  if (responseMode === 'form_post') return formPostPage(redirectUri, [...given])
  const query = redirectUri.includes('?') ? '&' : '?'
  const mark = responseMode === 'fragment' ? '#' : query
  return redirect(`${redirectUri}${mark}${given.toString()}`)
}
