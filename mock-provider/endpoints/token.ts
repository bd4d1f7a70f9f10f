/** The token endpoint (RFC 6749 §3.2). */
import { authorizationOf, type Issued } from '../authorization/authorization.ts'
import { compareVerifier } from '../authorization/pkce.ts'
import { authenticateClient } from '../clients/client-authentication.ts'
import { isGrantType, type GrantType } from '../clients/client.ts'
import { presentedClient } from '../clients/presented-client.ts'
import { redeemCode } from '../grants/authorization-code.ts'
import { useClientCredentials } from '../grants/client-credentials.ts'
import { redeemDeviceCode } from '../grants/device-code.ts'
import type { Grant } from '../grants/grant.ts'
import { refresh } from '../grants/refresh-token.ts'
import { exchangeToken } from '../grants/token-exchange.ts'
import type { Draft, Endpoint } from '../http/exchange.ts'
import { requireForm } from '../http/form-request.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { requireParameter, type Parameters } from '../http/parameters.ts'
import type { GrantDetail } from '../log/events.ts'
import type { ProviderState } from '../provider/state.ts'
import { provenKey } from '../tokens/proven-key.ts'

const grants: Readonly<Record<GrantType, Grant>> = {
  authorization_code: redeemCode,
  refresh_token: refresh,
  client_credentials: useClientCredentials,
  'urn:ietf:params:oauth:grant-type:device_code': redeemDeviceCode,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeToken,
}

export function tokenEndpoint(state: ProviderState): Endpoint<Draft<GrantDetail>> {
  return {
    name: 'token',
    methods: ['POST'],
    path: '/token',
    crossOrigin: true,
    faults: 'token',
    attribute: ({ form }) => authorizationOf(state, presentedGrant(state, form)),
    async attempt({ headers, form }) {
      const { clientId, method } = presentedClient(headers, form)
      const code = await state.codes.get(form.get('code'))
      return {
        type: 'grant',
        grantType: form.get('grant_type'),
        clientId,
        clientAuthentication: method,
        presented: state.ledger.idOf(presentedCredential(form)),
        resource: (form.sent ?? form).all('resource'),
        verifier: compareVerifier(form.get('code_verifier'), code, state.settings),
        outcome: 'refused',
        issued: [],
      }
    },
    async handle(exchange, attempt) {
      const form = requireForm(exchange)
      const client = await authenticateClient(state, exchange)
      const grantType = requireParameter(form, 'grant_type')
      if (!isGrantType(grantType)) {
        throw new OAuthError('unsupported_grant_type', 'the grant type is not supported')
      }
      if (!client.grantTypes.includes(grantType)) {
        throw new OAuthError('unauthorized_client', 'the client may not use this grant type')
      }
      const jkt = await provenKey(state, exchange)
      if (jkt === undefined && client.dpopBoundAccessTokens) {
        throw new OAuthError('invalid_dpop_proof', 'a DPoP proof is required')
      }
      const { reply, issued } = await grants[grantType]({ state, exchange, client, form, jkt })
      Object.assign(attempt, { outcome: 'issued', issued, jkt })
      if (!state.settings.dpopNonce || jkt === undefined) return reply
      // RFC 9449 §8.2
      return { ...reply, headers: { ...reply.headers, 'dpop-nonce': state.nonces.current() } }
    },
  }
}

/** By what a client shows that it was authorized, whatever the grant type. */
const credentialNames = ['code', 'refresh_token', 'device_code', 'subject_token'] as const

function presentedCredential(form: Parameters): string | undefined {
  const name = credentialNames.find((each) => form.get(each) !== undefined)
  return name && form.get(name)
}

/** The record of what a request presents. */
async function presentedGrant(
  { codes, tokens, deviceCodes }: ProviderState,
  form: Parameters,
): Promise<Issued | undefined> {
  if (form.get('code') !== undefined) return codes.get(form.get('code'))
  if (form.get('device_code') !== undefined) return deviceCodes.get(form.get('device_code'))
  return tokens.get(form.get('refresh_token') ?? form.get('subject_token'))
}
