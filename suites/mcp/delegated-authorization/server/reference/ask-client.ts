/** Has the client send its user to the authorization server: `auth/request`, and the callback that comes back (SEP-1028). */

import { z } from 'zod'

import { CallFailure } from './failure.ts'
import type { Call } from './call.ts'

/** `params` of the request. A type alias, since the SDK wants an index signature. */
export type AuthRequest = {
  readonly url: string
  readonly message: string
  readonly redirect_uri_options?: string[]
}

/** A result without url is one, too. */
export const authResult = z.looseObject({ url: z.string().optional() })
export type AuthResult = z.infer<typeof authResult>

/** SEP-1028, Client Capability. The SDK drops what it does not know, so this is looked for in `initialize` as it came. */
const capability = z.object({ delegated_authorization: z.looseObject({}) })

export function canAsk(capabilities: unknown): boolean {
  return capability.safeParse(capabilities).success
}

export function describeRequest(url: string, options: readonly string[]): AuthRequest {
  const message = 'Listing items needs access to your account.'
  return { url, message, redirect_uri_options: [...options] }
}

/** On the stream of the call that needs it, which every client reads. */
export function sendAuthRequest(
  { context }: Call,
  params: AuthRequest,
  timeout: number,
): Promise<AuthResult> {
  return context.mcpReq.send({ method: 'auth/request', params }, authResult, { timeout })
}

/** The callback URL. Throws a CallFailure where there is none: without a url, the user has declined. */
export function callbackIn({ url }: AuthResult): string {
  if (url === undefined) throw new CallFailure('declined')
  if (!URL.canParse(url)) throw new CallFailure('callback-refused')
  return url
}
