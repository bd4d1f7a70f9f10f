/** Client metadata (RFC 7591 §2), as a client registers it or publishes it about itself. */
import { z } from 'zod'
import { requestObjectAlgorithms } from './request-object-algorithms.ts'
import {
  brings,
  isFront,
  normalizeResponseType,
  type ResponseType,
} from '../authorization/response-types.ts'
import { resolveScope } from '../authorization/scopes.ts'
import { signingAlgorithms } from '../crypto/signer.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { grantTypes, type ClientInput } from './client.ts'
import { authenticationMethods } from './presented-client.ts'
import { isUsableRedirectUri } from './redirect-uris.ts'

const responseType = z
  .string()
  .transform(normalizeResponseType)
  .refine((type) => type !== undefined, 'unknown response type')

/** What we understand; other members are ignored. */
const members = z.object({
  redirect_uris: z.array(z.string().max(2000)).max(20).default([]),
  post_logout_redirect_uris: z.array(z.string().max(2000)).max(20).default([]),
  token_endpoint_auth_method: z.enum(authenticationMethods).default('client_secret_basic'),
  token_endpoint_auth_signing_alg: z.string().max(20).optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
  request_object_signing_alg: z.enum(requestObjectAlgorithms).optional(),
  id_token_signed_response_alg: z.enum(signingAlgorithms).optional(),
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(20) }).optional(),
  jwks_uri: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .optional(),
  grant_types: z.array(z.enum([...grantTypes, 'implicit'])).default(['authorization_code']),
  response_types: z.array(responseType).min(1).default(['code']),
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
  const redirected = used.includes('authorization_code') || used.includes('implicit')
  const missing = redirectUris.length === 0 && redirected
  if (missing || !redirectUris.every(isUsableRedirectUri)) {
    throw new OAuthError('invalid_redirect_uri', 'a usable redirect URI is required')
  }
  return {
    redirectUris,
    postLogoutRedirectUris: metadata.post_logout_redirect_uris,
    name: metadata.client_name,
    authMethods: [metadata.token_endpoint_auth_method],
    authSigningAlg: metadata.token_endpoint_auth_signing_alg,
    dpopBoundAccessTokens: metadata.dpop_bound_access_tokens,
    requestObjectSigningAlg: metadata.request_object_signing_alg,
    idTokenSigningAlg: metadata.id_token_signed_response_alg,
    jwks: metadata.jwks,
    jwksUri: metadata.jwks_uri,
    grantTypes: used.filter((each) => each !== 'implicit'),
    responseTypes: responseTypesOf(metadata),
    scopes: scopesOf(metadata.scope, supported),
  }
}

/** RFC 7591 §2.1: a response type goes with the grant types that it is for. */
function responseTypesOf({ response_types: types, grant_types: used }: ClientMetadata) {
  // a client that only asks directly names none, and gets none
  if (!used.includes('authorization_code') && !used.includes('implicit')) return undefined
  const fits = (type: ResponseType) =>
    (!brings(type, 'code') || used.includes('authorization_code')) &&
    (!isFront(type) || used.includes('implicit'))
  if (types.every(fits)) return types
  throw new OAuthError('invalid_client_metadata', 'the response types do not fit the grant types')
}

function scopesOf(scope: string | undefined, supported: readonly string[]) {
  try {
    return resolveScope(scope, supported)
  } catch {
    throw new OAuthError('invalid_client_metadata', 'the scope is not supported')
  }
}
