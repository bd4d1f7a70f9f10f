/** What a client is: as it is registered, and as it is kept. */
import type { PkcePolicy } from '../authorization/pkce.ts'
import type { ResponseType } from '../authorization/response-types.ts'
import { asymmetricAlgorithms } from '../crypto/verify-jwt.ts'
import type { SigningAlgorithm } from '../crypto/signer.ts'
import type { ClientAuthentication } from './presented-client.ts'

/** A grant type that the provider knows. */
export type GrantType = (typeof grantTypes)[number]

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  // RFC 8628 §3.4
  'urn:ietf:params:oauth:grant-type:device_code',
  // RFC 8693 §2.1
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const

/** A set of public keys (RFC 7517 §5). */
export interface JwkSet {
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

/** The algorithms by which a client may sign its assertions. */
export const assertionAlgorithms = {
  private_key_jwt: asymmetricAlgorithms,
  client_secret_jwt: ['HS256'],
} as const

export type AssertionMethod = keyof typeof assertionAlgorithms

/** A client to register (RFC 7591 §2). */
export interface ClientInput {
  /** Made up unless given. */
  readonly clientId?: string | undefined
  /** A client without a secret and keys is public. */
  readonly clientSecret?: string | undefined
  /** Seconds since the epoch, by the provider's clock (RFC 7591 §3.2.1). Default: never. */
  readonly clientSecretExpiresAt?: number | undefined
  /** The public keys of a client that signs assertions or request objects; or `jwksUri`, where it publishes them. */
  readonly jwks?: JwkSet | undefined
  readonly jwksUri?: string | undefined
  /** Shown to the user; the client id unless given. */
  readonly name?: string | undefined
  /**
   * The registered redirect URIs, or a predicate: the first URI seen that it accepts, or as many as `most` says, becomes
   * the registered one and is matched exactly from then on. Default: none, as for a device.
   */
  readonly redirectUris?:
    | readonly string[]
    | { readonly learn: (uri: string) => boolean; readonly most?: number | undefined }
    | undefined
  /** Where its users may go on once they have signed out (OpenID Connect RP-Initiated Logout §3.1). */
  readonly postLogoutRedirectUris?: readonly string[] | undefined
  /** Default: Basic and post for a client with a secret, private_key_jwt for one with keys, otherwise none. */
  readonly authMethods?: readonly ClientAuthentication[] | undefined
  /** The only algorithm by which assertions may be signed. Default: any that the provider supports. */
  readonly authSigningAlg?: string | undefined
  /** Whether it gets nothing but access tokens bound to a key (RFC 9449 §5.2). Default: as it asks. */
  readonly dpopBoundAccessTokens?: boolean | undefined
  /** The only algorithm by which its request objects may be signed; `none`: not at all. Default: any. */
  readonly requestObjectSigningAlg?: string | undefined
  /** By what its ID tokens are signed. Default: the provider's, which is RS256 unless told. */
  readonly idTokenSigningAlg?: SigningAlgorithm | undefined
  /** Default: the provider's, which is S256 unless told. */
  readonly pkce?: PkcePolicy | undefined
  /** Default: authorization_code and refresh_token. */
  readonly grantTypes?: readonly GrantType[] | undefined
  /** What it may get through the user agent. Default: a code, and nothing else (RFC 9700 §2.1.2). */
  readonly responseTypes?: readonly ResponseType[] | undefined
  /** What its tokens are for when it requests nothing: APIs of your own. Default: the provider's API. */
  readonly audience?: readonly string[] | undefined
  /** What it may request, and what it gets when it requests nothing. Default: all. */
  readonly scopes?: readonly string[] | undefined
}

/** A client as it is registered, with every default resolved. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly clientSecretExpiresAt: number | undefined
  readonly jwks: JwkSet | undefined
  readonly jwksUri: string | undefined
  readonly name: string
  /** Grows by one when a redirect URI is learned. */
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly authMethods: readonly ClientAuthentication[]
  readonly authSigningAlg: string | undefined
  readonly dpopBoundAccessTokens: boolean
  readonly idTokenSigningAlg: SigningAlgorithm
  readonly requestObjectSigningAlg: string | undefined
  readonly pkce: PkcePolicy
  readonly grantTypes: readonly GrantType[]
  readonly responseTypes: readonly ResponseType[]
  readonly audience: readonly string[]
  readonly scopes: readonly string[]
}

/** A client with the part that is the provider's own business. */
export interface RegisteredClient extends Client {
  /** Tells whether a redirect URI is registered; may learn it. */
  acceptsRedirect(uri: string): boolean
}

/** RFC 6749 §2.1: a client that has nothing to authenticate with. */
export function isPublic({ authMethods }: Pick<Client, 'authMethods'>): boolean {
  return authMethods.includes('none')
}

/** Tells whether a string is the name of a grant type that the provider has. */
export function isGrantType(name: string): name is GrantType {
  return grantTypes.some((grantType) => grantType === name)
}

/** Tells whether every key is public and asymmetric: what a provider is given may be published. */
export function arePublicKeys({ keys }: JwkSet): boolean {
  return keys.every((key) => !('d' in key) && !('k' in key) && key['kty'] !== 'oct')
}
