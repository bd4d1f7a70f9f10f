/** Has a user authorize this server through their client: one request, one flow, one callback. */

import type { Call } from './call.ts'
import { CallFailure } from './failure.ts'
import type { Credential } from './oauth.ts'
import type { Work } from './work.ts'

/** What the user grants. State and verifier are those of this very request: no other callback fits. */
export async function authorize(work: Work, call: Call): Promise<Credential> {
  const { config, parts } = work
  if (!parts.canAsk(call.capabilities)) throw new CallFailure('cannot-ask')
  const provider = await work.provider()
  const flow = parts.newFlow()
  const options = parts.redirectOptions(config.redirectUris)
  const [redirectUri] = config.redirectUris
  const { scopes } = config
  const pkce = await parts.pkceParameters(flow.verifier)
  const url = await parts.authorizationUrl(provider, {
    redirectUri,
    state: flow.state,
    scopes,
    pkce,
  })
  parts.log({ event: 'asked' })
  const answer = await parts
    .sendAuthRequest(call, parts.describeRequest(url, options), config.pendingTimeoutMs)
    .catch((error: unknown) => {
      // Whatever the code is: a client that answers with an error cannot do it.
      throw new CallFailure(isTimeout(error) ? 'expired' : 'cannot-ask')
    })
  const callback = parts.callbackIn(answer)
  const selected = parts.selectedRedirect(callback, options, redirectUri)
  if (selected === undefined) throw new CallFailure('callback-refused')
  const query = new URL(callback).searchParams
  const answered = parts.flowOf(flow, query)
  const parameters = parts.readCallback(provider, answered, query)
  const { verifier } = answered
  return parts.exchangeCode(provider, { parameters, redirectUri: selected, verifier })
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'REQUEST_TIMEOUT'
}
