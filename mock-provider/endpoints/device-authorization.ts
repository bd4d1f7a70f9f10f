/** The device authorization endpoint (RFC 8628 §3.1). */
import { directRequest } from '../authorization/authorization-request.ts'
import { beginAuthorization } from '../authorization/begin-authorization.ts'
import { issueDeviceCode } from '../authorization/device-codes.ts'
import { authenticateClient } from '../clients/client-authentication.ts'
import type { Endpoint } from '../http/exchange.ts'
import { requireForm } from '../http/form-request.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { json } from '../http/reply.ts'
import type { ProviderState } from '../provider/state.ts'

export function deviceAuthorizationEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'device-authorization',
    methods: ['POST'],
    path: '/device_authorization',
    async handle(exchange) {
      const form = requireForm(exchange)
      const client = await authenticateClient(state, exchange)
      if (!client.grantTypes.includes('urn:ietf:params:oauth:grant-type:device_code')) {
        throw new OAuthError('unauthorized_client', 'the client may not use this grant type')
      }
      const authorization = await beginAuthorization(directRequest(form, client, state), state)
      exchange.authorization = authorization
      const { value, userCode, interval } = await issueDeviceCode(state, authorization)
      const page = `${state.settings.issuer}/device`
      return json({
        device_code: value,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: state.settings.lifetimes.deviceCode,
        interval,
      })
    },
  }
}
