/** Client metadata (RFC 7591 §2), as a client registers it or publishes it about itself. */
import { z } from 'zod'
import { grantTypes, isUsableRedirectUri, type ClientInput } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import { authenticationMethods } from './presented-client.ts'
import { resolveScope } from './scopes.ts'

/** What we understand; other members are ignored. */
const members = z.object({
  redirect_uris: z.array(z.string().max(2000)).max(20).default([]),
  token_endpoint_auth_method: z.enum(authenticationMethods).default('client_secret_basic'),
  token_endpoint_auth_signing_alg: z.string().max(20).optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(20) }).optional(),
  jwks_uri: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .optional(),
  grant_types: z.array(z.enum(grantTypes)).default(['authorization_code']),
  response_types: z.array(z.literal('code')).default(['code']),
  client_name: z.string().max(200).optional(),
  scope: z.string().max(2000).optional(),
})

export const clientMetadata: z.ZodType<ClientMetadata> = members

export type ClientMetadata = z.infer<typeof members>

/**
 * What a client is that has this metadata, without credentials that are ours to give.
 * @throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 §3.2.2)
 */
export function clientOf(metadata: ClientMetadata, supported: readonly string[]): ClientInput {
  const { redirect_uris: redirectUris, grant_types: used } = metadata
  // RFC 7591 §2: required of a client that is redirected to
  const missing = redirectUris.length === 0 && used.includes('authorization_code')
  if (missing || !redirectUris.every(isUsableRedirectUri)) {
    throw new OAuthError('invalid_redirect_uri', 'a usable redirect URI is required')
  }
  return {
    redirectUris,
    name: metadata.client_name,
    authMethods: [metadata.token_endpoint_auth_method],
    authSigningAlg: metadata.token_endpoint_auth_signing_alg,
    dpopBoundAccessTokens: metadata.dpop_bound_access_tokens,
    jwks: metadata.jwks,
    jwksUri: metadata.jwks_uri,
    grantTypes: used,
    scopes: scopesOf(metadata.scope, supported),
  }
}

function scopesOf(scope: string | undefined, supported: readonly string[]) {
  try {
    return resolveScope(scope, supported)
  } catch {
    throw new OAuthError('invalid_client_metadata', 'the scope is not supported')
  }
}
