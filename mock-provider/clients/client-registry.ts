/** The registry of clients: what each of them may do is resolved and checked once. */
import { brings } from '../authorization/response-types.ts'
import type { PkcePolicy } from '../authorization/pkce.ts'
import type { Opaque } from '../crypto/random.ts'
import { signingAlgorithms, type SigningAlgorithm } from '../crypto/signer.ts'
import type { Ledger } from '../log/ledger.ts'
import { requireKnown } from '../provider/known-names.ts'
import { BoundedMap } from '../storage/bounded.ts'
import type { Collection } from '../storage/collection.ts'
import {
  arePublicKeys,
  assertionAlgorithms,
  type Client,
  type ClientInput,
  type GrantType,
  type RegisteredClient,
} from './client.ts'
import type { ClientAuthentication } from './presented-client.ts'
import {
  isUsableRedirectUri,
  matchesAsRegistered,
  redirectMatchers,
  usableRedirectUri,
  type Matches,
  type RedirectMatching,
} from './redirect-uris.ts'

/** The members of a registration, for callers without types. */
const memberNames = Object.keys({
  clientId: true,
  clientSecret: true,
  clientSecretExpiresAt: true,
  jwks: true,
  jwksUri: true,
  name: true,
  redirectUris: true,
  postLogoutRedirectUris: true,
  authMethods: true,
  authSigningAlg: true,
  dpopBoundAccessTokens: true,
  requestObjectSigningAlg: true,
  idTokenSigningAlg: true,
  pkce: true,
  grantTypes: true,
  responseTypes: true,
  audience: true,
  scopes: true,
} satisfies Record<keyof ClientInput, true>)

/** What a client may use unless it is registered for other grants. */
const defaultGrantTypes: readonly GrantType[] = ['authorization_code', 'refresh_token']

/** Those that prove nothing but who the client is, so that it has to prove that (RFC 6749 §4.4, RFC 8693 §5). */
const confidentialGrantTypes: readonly GrantType[] = [
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]

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
  get(clientId: string | undefined): Promise<RegisteredClient | undefined>
  list(): Promise<readonly Client[]>
  /** Forgets what is configured. */
  clear(): void
}

export interface ClientRegistryOptions {
  readonly scopes: readonly string[]
  readonly redirectMatching: RedirectMatching
  readonly pkce: PkcePolicy
  readonly idTokenSigningAlg: SigningAlgorithm
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
  const matches = redirectMatchers[options.redirectMatching]
  const configured = new BoundedMap<string, RegisteredClient>(options.most)
  const noteSecret = ({ clientId, clientSecret: value }: Client) => {
    if (value !== undefined) ledger.record({ kind: 'client_secret', value, clientId })
  }
  return {
    configure(input) {
      const { learn, uris, most } = redirects(input)
      const resolved = resolveClient(input, uris, options)
      const client = learn
        ? matching(
            resolved,
            options.redirectMatching === 'exact' ? matchesAsRegistered : matches,
            (uri) => {
              if (uris.length >= most || uris.includes(uri)) return
              if (isUsableRedirectUri(uri) && learn(uri)) uris.push(uri)
            },
          )
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
    async get(clientId) {
      const own = configured.get(clientId ?? '')
      if (own) return own
      const client = await registered.get(clientId)
      return client && matching(client, matches)
    },
    clear: () => configured.clear(),
    list: async () => [...configured.values(), ...(await registered.list())],
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
  requireKnown('member of a client', input, memberNames)
  const clientId = input.clientId ?? options.opaque('client_')
  const authMethods = input.authMethods ?? defaultMethods(input)
  requireConsistentCredentials(input, authMethods)
  const { postLogoutRedirectUris = [] } = input
  const unusable = [...redirectUris, ...postLogoutRedirectUris].find(
    (uri) => !isUsableRedirectUri(uri),
  )
  if (unusable !== undefined) {
    throw new TypeError(
      `client ${clientId}: unusable redirect URI ${unusable}: ${usableRedirectUri}`,
    )
  }
  const { idTokenSigningAlg: algorithm = options.idTokenSigningAlg } = input
  if (!signingAlgorithms.includes(algorithm)) {
    throw new TypeError(`ID tokens are signed by one of ${signingAlgorithms.join(', ')}`)
  }
  return {
    clientId,
    clientSecret: input.clientSecret,
    clientSecretExpiresAt: input.clientSecretExpiresAt,
    jwks: input.jwks,
    jwksUri: input.jwksUri,
    name: input.name ?? clientId,
    redirectUris,
    postLogoutRedirectUris,
    authMethods,
    authSigningAlg: input.authSigningAlg,
    dpopBoundAccessTokens: input.dpopBoundAccessTokens ?? false,
    idTokenSigningAlg: algorithm,
    requestObjectSigningAlg: input.requestObjectSigningAlg,
    pkce: input.pkce ?? options.pkce,
    grantTypes: input.grantTypes ?? defaultGrantTypes,
    responseTypes: input.responseTypes ?? ['code'],
    audience: input.audience ?? [],
    scopes: input.scopes ?? options.scopes,
  }
}

function defaultMethods({ clientSecret, jwks, jwksUri }: ClientInput) {
  if (clientSecret) return ['client_secret_basic', 'client_secret_post'] as const
  return jwks || jwksUri ? (['private_key_jwt'] as const) : (['none'] as const)
}

/** @throws TypeError for methods that the client lacks the credentials for, and for unsafe credentials */
function requireConsistentCredentials(
  input: ClientInput,
  methods: readonly ClientAuthentication[],
): void {
  const { clientSecret, jwks, jwksUri, authSigningAlg, grantTypes: used = [] } = input
  const bySecret = methods.some((method) => method.startsWith('client_secret_'))
  const byKey = methods.includes('private_key_jwt')
  if (bySecret !== Boolean(clientSecret) || (methods.includes('none') && (bySecret || byKey))) {
    throw new TypeError('a client authenticates if, and only if, it has a secret or keys')
  }
  if (methods.includes('none') && used.some((each) => confidentialGrantTypes.includes(each))) {
    throw new TypeError('only a client that authenticates may use that grant type')
  }
  // RFC 9449 §5: what a user agent takes along is bound to no key
  if (input.dpopBoundAccessTokens && input.responseTypes?.some((each) => brings(each, 'token'))) {
    throw new TypeError('no access token that is bound to a key can travel in front')
  }
  // RFC 7591 §2: never both
  if ((byKey && !jwks && !jwksUri) || (jwks && jwksUri)) {
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
    ? { learn: redirectUris.learn, uris: [] as string[], most: redirectUris.most ?? 1 }
    : { learn: undefined, uris: [...redirectUris], most: 0 }
}
