/** Sends the user on the way: makes a flow for the call and hands its URL to the runtime. */

import type { Call } from './call.ts'
import { flowKey, type Flow } from './flow-store.ts'
import { armTimer, send, type Work } from './work.ts'

/** Throws a CallFailure when there is no safe URL to send; nothing is pending then. */
export async function startAuthorization(
  work: Work,
  call: Call,
  scopes: readonly string[],
): Promise<void> {
  const { parts, settings } = work
  const provider = await work.provider()
  const state = parts.newState(call)
  const verifier = parts.newVerifier()
  const redirectUri = parts.redirectUri(settings.publicUrl, call)
  const pkce = await parts.pkceParameters(verifier)
  const authUrl = parts.buildAuthorizationUrl(provider, { redirectUri, state, scopes, pkce })
  parts.requireHttps(authUrl)

  const flow: Flow = {
    key: flowKey(state),
    call,
    scopes: [...scopes],
    redirectUri,
    verifier,
    expiresAt: parts.now() + settings.pendingTimeoutMs,
  }
  // Kept before the URL is out: the user may be back faster than the runtime's 200.
  await work.flows.save(flow)
  armTimer(work, flow)
  parts.log({ event: 'authorization-requested', id: call.id })
  await send(work, call, { type: 'oauth', auth_url: authUrl.href })
}
