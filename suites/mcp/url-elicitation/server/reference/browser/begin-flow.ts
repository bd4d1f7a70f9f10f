/** Makes an authorization request that this server will know the answer to. */

import { randomBytes } from 'node:crypto'

import { flowKey, type Purpose } from '../oauth/flows.ts'
import type { Work } from '../work.ts'

export interface BegunFlow {
  /** The authorization request. */
  readonly url: URL
  readonly state: string
  /** What the browser that is sent there gets for a cookie. */
  readonly browser: string
}

/** Throws a CallFailure without a provider. */
export async function beginFlow(
  { parts, settings, provider, flows }: Work,
  purpose: Purpose,
  scopes: readonly string[],
): Promise<BegunFlow> {
  const [state, verifier] = [parts.newState(), parts.newVerifier()]
  const browser = randomBytes(32).toString('base64url')
  const server = await provider()
  const redirectUri = parts.redirectUri(settings.publicUrl)
  const url = await parts.buildAuthorizationUrl(server, {
    redirectUri,
    state,
    scopes,
    pkce: await parts.pkceParameters(verifier),
    ...(purpose.kind === 'login' ? { nonce: purpose.nonce } : { resource: server.resource }),
  })
  flows.save({
    key: flowKey(state),
    browser: flowKey(browser),
    purpose,
    redirectUri,
    verifier,
    expiresAt: parts.now() + settings.pendingTimeoutMs,
  })
  return { url, state, browser }
}
