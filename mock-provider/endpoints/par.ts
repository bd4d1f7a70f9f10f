/** The pushed authorization request endpoint (RFC 9126 §2). */
import {
  describeRequest,
  resolveTarget,
  validateRequest,
} from '../authorization/authorization-request.ts'
import { keepPushed, pushedLifetime } from '../authorization/pushed-requests.ts'
import { unpackRequest } from '../authorization/request-object.ts'
import { authenticateClient } from '../clients/client-authentication.ts'
import type { Endpoint, Exchange } from '../http/exchange.ts'
import { requireForm } from '../http/form-request.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { encodeParameters, parseParameters } from '../http/parameters.ts'
import { json } from '../http/reply.ts'
import type { ProviderState } from '../provider/state.ts'
import { provenKey } from '../tokens/proven-key.ts'

export function parEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'par',
    methods: ['POST'],
    path: '/par',
    faults: 'par',
    crossOrigin: true,
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
  const sent = parseParameters(pushed)
  // RFC 9126 §3
  const parameters = await unpackRequest(state, sent, exchange)
  // RFC 9126 §2.1: validated as at the authorization endpoint
  await validateRequest(parameters, await resolveTarget(parameters, state), state)
  const requestUri = await keepPushed(
    state,
    clientId,
    parameters === sent ? pushed : encodeParameters(parameters),
  )
  return json({ request_uri: requestUri, expires_in: pushedLifetime }, 201)
}
