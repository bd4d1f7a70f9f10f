/** Dynamic client registration (RFC 7591), and reading a registration back (RFC 7592 §2.1). */
import { isFront } from '../authorization/response-types.ts'
import { clientMetadata, clientOf, type ClientMetadata } from '../clients/client-metadata.ts'
import type { Client } from '../clients/client.ts'
import { activeFaults, fire } from '../faults/with-faults.ts'
import type { Draft, Endpoint, Exchange } from '../http/exchange.ts'
import { parseJson } from '../http/json-body.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { parseParameters } from '../http/parameters.ts'
import { json } from '../http/reply.ts'
import type { RegistrationDetail } from '../log/events.ts'
import type { ProviderState } from '../provider/state.ts'
import { challenge } from '../resource/bearer-challenge.ts'
import { presentedToken } from '../resource/bearer-token.ts'

export function registrationEndpoints(state: ProviderState): readonly Endpoint[] {
  const attempt = ({ segment }: Exchange): Draft<RegistrationDetail> => ({
    type: 'registration',
    clientId: segment('id') || undefined,
    redirectUris: [],
    outcome: 'refused',
  })
  const register: Endpoint<Draft<RegistrationDetail>> = {
    name: 'register',
    methods: ['POST'],
    path: '/register',
    crossOrigin: true,
    faults: 'register',
    attempt,
    async handle(exchange, attempt) {
      const { headers, body } = exchange
      const input = parseJson(clientMetadata, headers, body, 'invalid_client_metadata')
      attempt.redirectUris = input.redirect_uris
      const client = await registerClient(state, exchange, input)
      attempt.clientId = client.clientId
      attempt.outcome = 'registered'
      return json(
        {
          ...describe(client, state.settings.issuer),
          client_id_issued_at: Math.floor(state.clock.now() / 1000),
          registration_access_token: await mintRegistrationToken(state, client.clientId),
        },
        201,
      )
    },
  }
  const read: Endpoint<Draft<RegistrationDetail>> = {
    name: 'register',
    methods: ['GET'],
    path: '/register/:id',
    crossOrigin: true,
    attempt,
    async handle({ headers, segment }, attempt) {
      const none = parseParameters('')
      const token = presentedToken(headers, none, none).value
      const client = await state.clients.get(await state.registrations.get(token))
      if (!client || client.clientId !== segment('id')) {
        const told = { error: 'invalid_token' }
        const headers = challenge(state.settings.issuer, told)
        throw new OAuthError('invalid_token', 'not your registration', { status: 401, headers })
      }
      attempt.redirectUris = client.redirectUris
      attempt.outcome = 'read'
      return json(describe(client, state.settings.issuer))
    },
  }
  return [register, read]
}

/** @throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 §3.2.2) */
async function registerClient(
  state: ProviderState,
  exchange: Exchange,
  metadata: ClientMetadata,
): Promise<Client> {
  const { settings, clients, opaque } = state
  const bySecret = metadata.token_endpoint_auth_method.startsWith('client_secret_')
  const input = clientOf(metadata, settings.scopes)
  const credentials = bySecret && {
    clientSecret: opaque('cs_'),
    clientSecretExpiresAt: await secretExpiry(state, exchange),
  }
  try {
    return await clients.register({ ...input, ...credentials })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OAuthError('invalid_client_metadata', error.message)
  }
}

/** When the secret of a new client expires, in seconds since the epoch; only a fault brings it about. */
async function secretExpiry(state: ProviderState, exchange: Exchange): Promise<number | undefined> {
  const active = await activeFaults(state, exchange, 'register')
  const expiring = active.find(({ fault }) => fault.secretLifetime !== undefined)
  if (!expiring || !(await fire(exchange, expiring))) return undefined
  const seconds = Number(expiring.value ?? expiring.fault.secretLifetime)
  return Math.floor(state.clock.now() / 1000 + seconds)
}

async function mintRegistrationToken(state: ProviderState, clientId: string): Promise<string> {
  const value = state.opaque('rat_')
  await state.registrations.set(value, clientId)
  state.ledger.record({ kind: 'registration_access_token', value, clientId })
  return value
}

/** RFC 7591 §3.2.1: everything that was registered, defaults included. */
function describe(client: Client, issuer: string) {
  return {
    client_id: client.clientId,
    ...(client.clientSecret !== undefined && {
      client_secret: client.clientSecret,
      // RFC 7591 §3.2.1: 0 if it never expires
      client_secret_expires_at: client.clientSecretExpiresAt ?? 0,
    }),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    token_endpoint_auth_method: client.authMethods[0],
    token_endpoint_auth_signing_alg: client.authSigningAlg,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens,
    request_object_signing_alg: client.requestObjectSigningAlg,
    id_token_signed_response_alg: client.idTokenSigningAlg,
    jwks: client.jwks,
    jwks_uri: client.jwksUri,
    grant_types: client.responseTypes.some(isFront)
      ? [...client.grantTypes, 'implicit']
      : client.grantTypes,
    response_types: client.responseTypes,
    scope: client.scopes.join(' '),
    // RFC 7592 §3
    registration_client_uri: `${issuer}/register/${encodeURIComponent(client.clientId)}`,
  }
}
