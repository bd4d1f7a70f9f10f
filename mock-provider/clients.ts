/** The registered clients and what each of them may do. */
import { BoundedMap } from './bounded.ts'
import { assertionAlgorithms } from './client-assertion.ts'
import { arePublicKeys, type JwkSet } from './client-keys.ts'
import type { Collection } from './storage/collection.ts'
import type { Ledger } from './ledger.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import type { PkcePolicy } from './pkce.ts'
import type { ClientAuthentication } from './presented-client.ts'
import type { Opaque } from './random.ts'

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

/** What a client may use unless it is registered for other grants. */
const defaultGrantTypes: readonly GrantType[] = ['authorization_code', 'refresh_token']

/** Those that prove nothing but who the client is, so that it has to prove that (RFC 6749 §4.4, RFC 8693 §5). */
const confidentialGrantTypes: readonly GrantType[] = [
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]

/** `exact` is what RFC 9700 §2.1 demands; `ignore-query` is a leniency that some providers have. */
export type RedirectMatching = 'exact' | 'ignore-query'

export interface ClientInput {
  /** Made up unless given. */
  readonly clientId?: string | undefined
  /** A client without a secret and keys is public. */
  readonly clientSecret?: string | undefined
  /** Seconds since the epoch, by the provider's clock (RFC 7591 §3.2.1). Default: never. */
  readonly clientSecretExpiresAt?: number | undefined
  /** The public keys of a client that signs assertions; or `jwksUri`, where it publishes them. */
  readonly jwks?: JwkSet | undefined
  readonly jwksUri?: string | undefined
  /** Shown to the user; the client id unless given. */
  readonly name?: string | undefined
  /**
   * The registered redirect URIs, or a predicate: the first URI seen that it accepts becomes the
   * registered one and is matched exactly from then on. Default: none, as for a device.
   */
  readonly redirectUris?:
    readonly string[] | { readonly learn: (uri: string) => boolean } | undefined
  /** Default: Basic and post for a client with a secret, private_key_jwt for one with keys, otherwise none. */
  readonly authMethods?: readonly ClientAuthentication[] | undefined
  /** The only algorithm by which assertions may be signed. Default: any that the provider supports. */
  readonly authSigningAlg?: string | undefined
  /** Whether it gets nothing but access tokens bound to a key (RFC 9449 §5.2). Default: as it asks. */
  readonly dpopBoundAccessTokens?: boolean | undefined
  /** Default: the provider's, which is S256 unless told. */
  readonly pkce?: PkcePolicy | undefined
  /** Default: authorization_code and refresh_token. */
  readonly grantTypes?: readonly GrantType[] | undefined
  /** What it may request, and what it gets when it requests nothing. Default: all. */
  readonly scopes?: readonly string[] | undefined
}

export interface Client {
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly clientSecretExpiresAt: number | undefined
  readonly jwks: JwkSet | undefined
  readonly jwksUri: string | undefined
  readonly name: string
  /** Grows by one when a redirect URI is learned. */
  readonly redirectUris: readonly string[]
  readonly authMethods: readonly ClientAuthentication[]
  readonly authSigningAlg: string | undefined
  readonly dpopBoundAccessTokens: boolean
  readonly pkce: PkcePolicy
  readonly grantTypes: readonly GrantType[]
  readonly scopes: readonly string[]
}

/** A client with the part that is the provider's own business. */
export interface RegisteredClient extends Client {
  /** Tells whether a redirect URI is registered; may learn it. */
  acceptsRedirect(uri: string): boolean
}

export interface ClientRegistry {
  /**
   * Makes a client part of this instance's configuration, in place of an earlier one with the same
   * id. Other instances do not know it: they are configured alike.
   * @throws TypeError for an unusable redirect URI or a contradictory registration
   */
  configure(input: ClientInput): RegisteredClient
  /**
   * Registers a client with all instances, in place of what this one was configured with.
   * @throws TypeError as above, and for redirect URIs that are to be learned
   */
  register(input: ClientInput): Promise<RegisteredClient>
  /** A client that is not kept. @throws TypeError as above */
  adopt(input: ClientInput): RegisteredClient
  get(clientId: string | undefined): MaybePromise<RegisteredClient | undefined>
  list(): MaybePromise<readonly Client[]>
  /** Forgets what is configured. */
  clear(): void
}

export interface ClientRegistryOptions {
  readonly scopes: readonly string[]
  readonly redirectMatching: RedirectMatching
  readonly pkce: PkcePolicy
  readonly ledger: Ledger
  readonly opaque: Opaque
  /** The clients that all instances know. */
  readonly registered: Collection<Client>
  /** The most clients that are configured. */
  readonly most: number
}

/** Creates an empty registry. What is configured is bounded. */
export function createClientRegistry(options: ClientRegistryOptions): ClientRegistry {
  const { registered, ledger } = options
  const matches = matchers[options.redirectMatching]
  const configured = new BoundedMap<string, RegisteredClient>(options.most)
  const noteSecret = ({ clientId, clientSecret: value }: Client) => {
    if (value !== undefined) ledger.record({ kind: 'client_secret', value, clientId })
  }
  return {
    configure(input) {
      const { learn, uris } = redirects(input)
      const resolved = resolveClient(input, uris, options)
      const client = learn
        ? matching(resolved, options.redirectMatching === 'exact' ? identical : matches, (uri) => {
            if (uris.length === 0 && isUsableRedirectUri(uri) && learn(uri)) uris.push(uri)
          })
        : matching(resolved, matches)
      configured.set(client.clientId, client)
      noteSecret(client)
      return client
    },
    async register(input) {
      const { learn, uris } = redirects(input)
      if (learn) throw new TypeError('redirect URIs are learned in code only')
      const client = resolveClient(input, uris, options)
      await registered.set(client.clientId, client)
      configured.delete(client.clientId)
      noteSecret(client)
      return matching(client, matches)
    },
    adopt(input) {
      const { uris } = redirects(input)
      return matching(resolveClient(input, uris, options), matches)
    },
    get: (clientId) =>
      configured.get(clientId ?? '') ??
      chain(registered.get(clientId), (client) => client && matching(client, matches)),
    clear: () => configured.clear(),
    list: () => chain(registered.list(), (others) => [...configured.values(), ...others]),
  }
}

/** A client that tells which redirect URIs are its own, after it was given the chance to learn one. */
function matching(
  client: Client,
  matches: Matches,
  learn: (uri: string) => void = () => {},
): RegisteredClient {
  return {
    ...client,
    acceptsRedirect(uri) {
      learn(uri)
      return client.redirectUris.some((registered) => matches(registered, uri))
    },
  }
}

function resolveClient(
  input: ClientInput,
  redirectUris: readonly string[],
  options: ClientRegistryOptions,
): Client {
  const clientId = input.clientId ?? options.opaque('client_')
  const authMethods = input.authMethods ?? defaultMethods(input)
  requireConsistentCredentials(input, authMethods)
  const unusable = redirectUris.find((uri) => !isUsableRedirectUri(uri))
  if (unusable !== undefined) {
    throw new TypeError(
      `client ${clientId}: unusable redirect URI ${unusable}: ${usableRedirectUri}`,
    )
  }
  return {
    clientId,
    clientSecret: input.clientSecret,
    clientSecretExpiresAt: input.clientSecretExpiresAt,
    jwks: input.jwks,
    jwksUri: input.jwksUri,
    name: input.name ?? clientId,
    redirectUris,
    authMethods,
    authSigningAlg: input.authSigningAlg,
    dpopBoundAccessTokens: input.dpopBoundAccessTokens ?? false,
    pkce: input.pkce ?? options.pkce,
    grantTypes: input.grantTypes ?? defaultGrantTypes,
    scopes: input.scopes ?? options.scopes,
  }
}

function defaultMethods({ clientSecret, jwks, jwksUri }: ClientInput) {
  if (clientSecret) return ['client_secret_basic', 'client_secret_post'] as const
  return jwks || jwksUri ? (['private_key_jwt'] as const) : (['none'] as const)
}

/** @throws TypeError for methods that the client lacks the credentials for, and for unsafe credentials */
function requireConsistentCredentials(
  { clientSecret, jwks, jwksUri, authSigningAlg, grantTypes: used = [] }: ClientInput,
  methods: readonly ClientAuthentication[],
): void {
  const bySecret = methods.some((method) => method.startsWith('client_secret_'))
  const byKey = methods.includes('private_key_jwt')
  if (bySecret !== Boolean(clientSecret) || (methods.includes('none') && (bySecret || byKey))) {
    throw new TypeError('a client authenticates if, and only if, it has a secret or keys')
  }
  if (methods.includes('none') && used.some((each) => confidentialGrantTypes.includes(each))) {
    throw new TypeError('only a client that authenticates may use that grant type')
  }
  // RFC 7591 §2: never both
  if (byKey !== Boolean(jwks ?? jwksUri) || (jwks && jwksUri)) {
    throw new TypeError('private_key_jwt needs either jwks or jwksUri')
  }
  if (jwks && !arePublicKeys(jwks)) throw new TypeError('only public keys are registered')
  // RFC 7518 §3.2: no shorter than the digest
  if (methods.includes('client_secret_jwt') && Buffer.byteLength(clientSecret ?? '') < 32) {
    throw new TypeError('client_secret_jwt needs a secret of at least 32 bytes')
  }
  const algorithms: readonly string[] = Object.values(assertionAlgorithms).flat()
  if (authSigningAlg !== undefined && !algorithms.includes(authSigningAlg)) {
    throw new TypeError(`the signing algorithm must be one of ${algorithms.join(', ')}`)
  }
}

function redirects({ redirectUris = [] }: ClientInput) {
  return 'learn' in redirectUris
    ? { learn: redirectUris.learn, uris: [] as string[] }
    : { learn: undefined, uris: [...redirectUris] }
}

const withoutQuery = (uri: string) => uri.split('?', 1)[0]

/** RFC 8252 §7.3: a native app listens on whatever port is free. */
const withoutLoopbackPort = (uri: string) =>
  uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1')

/** RFC 3986 §6.2.1: simple string comparison, as RFC 9700 §2.1 demands, ports of the loopback interface excepted. */
export function matchesExactly(registered: string, uri: string): boolean {
  if (registered === uri) return true
  return URL.canParse(uri) && withoutLoopbackPort(registered) === withoutLoopbackPort(uri)
}

type Matches = (registered: string, uri: string) => boolean

/** For URIs that were learned: the first one came with its port. */
const identical: Matches = (registered, uri) => registered === uri

const matchers: Readonly<Record<RedirectMatching, Matches>> = {
  exact: matchesExactly,
  'ignore-query': (registered, uri) => withoutQuery(registered) === withoutQuery(uri),
}

/** Schemes by which a user agent would run or read something itself instead of redirecting. */
const unsafeSchemes: readonly string[] = [
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
  'vbscript:',
  'view-source:',
]

/** RFC 3986 §2: what a URI without a fragment is written with. A URL parser repairs anything else. */
const uriSyntax = /^[A-Za-z0-9._~:/?[\]@!$&'()*+,;=%-]+$/

/** What {@link isUsableRedirectUri} expects, for people. */
export const usableRedirectUri = 'expected an absolute URI without fragment and credentials'

/** Tells whether a redirect URI is absolute, safe, and without a fragment (RFC 6749 §3.1.2) or credentials. */
export function isUsableRedirectUri(uri: string): boolean {
  if (!uriSyntax.test(uri) || !URL.canParse(uri)) return false
  const { protocol, username, password } = new URL(uri)
  return !unsafeSchemes.includes(protocol) && username === '' && password === ''
}

/** RFC 6749 §2.1: a client that has nothing to authenticate with. */
export function isPublic({ authMethods }: Pick<Client, 'authMethods'>): boolean {
  return authMethods.includes('none')
}

/** Tells whether a string is the name of a grant type that the provider has. */
export function isGrantType(name: string): name is GrantType {
  return grantTypes.some((grantType) => grantType === name)
}
