/** The pushed authorization request endpoint (RFC 9126 §2). */
import { describeRequest, resolveTarget, validateRequest } from '../authorization-request.ts'
import { authenticateClient } from '../client-authentication.ts'
import type { Endpoint, Exchange } from '../exchange.ts'
import { requireForm } from '../form-request.ts'
import { OAuthError } from '../oauth-error.ts'
import { parseParameters } from '../parameters.ts'
import { provenKey } from '../proven-key.ts'
import { keepPushed, pushedLifetime } from '../pushed-requests.ts'
import { json } from '../reply.ts'
import type { ProviderState } from '../state.ts'

export function parEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'par',
    methods: ['POST'],
    path: '/par',
    async handle(exchange) {
      try {
        return await push(state, exchange)
      } catch (error) {
        // a valid request is logged when the user agent brings its request URI
        if (error instanceof OAuthError) exchange.log(describeRequest(exchange.form, 'par', error))
        throw error
      }
    },
  }
}

async function push(state: ProviderState, exchange: Exchange) {
  const form = requireForm(exchange)
  const { clientId } = await authenticateClient(state, exchange)
  // RFC 9126 §2.1
  if (form.get('request_uri') !== undefined) {
    throw new OAuthError('invalid_request', 'a pushed request must not have a request_uri')
  }
  const jkt = await provenKey(state, exchange)
  const named = form.get('dpop_jkt')
  // RFC 9449 §10.1: a proof binds the code as dpop_jkt does, and both name one key
  if (jkt !== undefined && named !== undefined && jkt !== named) {
    throw new OAuthError('invalid_dpop_proof', 'the DPoP proof is of another key than dpop_jkt')
  }
  const proven = jkt !== undefined && named === undefined
  const pushed = proven ? `${exchange.body}&dpop_jkt=${jkt}` : exchange.body
  const parameters = parseParameters(pushed)
  // RFC 9126 §2.1: validated as at the authorization endpoint
  validateRequest(parameters, await resolveTarget(parameters, state), state)
  const requestUri = await keepPushed(state, clientId, pushed)
  return json({ request_uri: requestUri, expires_in: pushedLifetime }, 201)
}
