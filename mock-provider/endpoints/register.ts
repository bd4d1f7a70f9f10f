/** Dynamic client registration (RFC 7591), and reading a registration back (RFC 7592 §2.1). */
import { z } from 'zod'
import { challenge } from '../bearer-challenge.ts'
import { presentedToken } from '../bearer-token.ts'
import { grantTypes, isUsableRedirectUri, type Client } from '../clients.ts'
import type { RegistrationDetail } from '../events.ts'
import type { Draft, Endpoint, Exchange } from '../exchange.ts'
import { parseJson } from '../json-body.ts'
import { OAuthError } from '../oauth-error.ts'
import { parseParameters } from '../parameters.ts'
import { authenticationMethods } from '../presented-client.ts'
import { json } from '../reply.ts'
import { resolveScope } from '../scopes.ts'
import type { ProviderState } from '../state.ts'

/** RFC 7591 §2: what we understand; other members are ignored. */
const metadata = z.object({
  redirect_uris: z.array(z.string().max(2000)).max(20).default([]),
  token_endpoint_auth_method: z.enum(authenticationMethods).default('client_secret_basic'),
  token_endpoint_auth_signing_alg: z.string().max(20).optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(20) }).optional(),
  jwks_uri: z.url().max(2000).optional(),
  grant_types: z.array(z.enum(grantTypes)).default(['authorization_code']),
  response_types: z.array(z.literal('code')).default(['code']),
  client_name: z.string().max(200).optional(),
  scope: z.string().max(2000).optional(),
})

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
    attempt,
    async handle({ headers, body }, attempt) {
      const input = parseJson(metadata, headers, body, 'invalid_client_metadata')
      attempt.redirectUris = input.redirect_uris
      const client = await registerClient(state, input)
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
  input: z.infer<typeof metadata>,
): Promise<Client> {
  const { settings, clients, opaque } = state
  const { redirect_uris: redirectUris, token_endpoint_auth_method: method } = input
  if (redirectUris.length === 0 || !redirectUris.every(isUsableRedirectUri)) {
    throw new OAuthError('invalid_redirect_uri', 'a usable redirect URI is required')
  }
  const scopes = registeredScope(input.scope, settings.scopes)
  try {
    return await clients.register({
      redirectUris,
      name: input.client_name,
      authMethods: [method],
      authSigningAlg: input.token_endpoint_auth_signing_alg,
      clientSecret: method.startsWith('client_secret_') ? opaque('cs_') : undefined,
      dpopBoundAccessTokens: input.dpop_bound_access_tokens,
      jwks: input.jwks,
      jwksUri: input.jwks_uri,
      grantTypes: input.grant_types,
      scopes,
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OAuthError('invalid_client_metadata', error.message)
  }
}

function registeredScope(scope: string | undefined, supported: readonly string[]) {
  try {
    return resolveScope(scope, supported)
  } catch {
    throw new OAuthError('invalid_client_metadata', 'the scope is not supported')
  }
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
      // never expires
      client_secret_expires_at: 0,
    }),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.authMethods[0],
    token_endpoint_auth_signing_alg: client.authSigningAlg,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens,
    jwks: client.jwks,
    jwks_uri: client.jwksUri,
    grant_types: client.grantTypes,
    response_types: ['code'],
    scope: client.scopes.join(' '),
    // RFC 7592 §3
    registration_client_uri: `${issuer}/register/${encodeURIComponent(client.clientId)}`,
  }
}
