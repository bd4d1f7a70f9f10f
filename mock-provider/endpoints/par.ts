/** The pushed authorization request endpoint (RFC 9126 §2). */
import { describeRequest, resolveTarget, validateRequest } from '../authorization-request.ts'
import { authenticateClient } from '../client-authentication.ts'
import type { Endpoint, Exchange } from '../exchange.ts'
import { requireForm } from '../form-request.ts'
import { OAuthError } from '../oauth-error.ts'
import { presentedClient } from '../presented-client.ts'
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
  const presented = presentedClient(exchange.headers, form)
  const { clientId } = await authenticateClient(presented, state.clients)
  // RFC 9126 §2.1
  if (form.get('request_uri') !== undefined) {
    throw new OAuthError('invalid_request', 'a pushed request must not have a request_uri')
  }
  // RFC 9126 §2.1: validated as at the authorization endpoint
  validateRequest(form, await resolveTarget(form, state), state)
  const requestUri = await keepPushed(state, clientId, exchange.body)
  return json({ request_uri: requestUri, expires_in: pushedLifetime }, 201)
}
