/** The options of an issuer and their defaults. */
import type { KeyObject } from 'node:crypto'
import type { PkcePolicy } from '../authorization/pkce.ts'
import { defaultUsers, type User } from '../authorization/user.ts'
import type { ClientInput } from '../clients/client.ts'
import { fetchFromPublic, type DocumentFetch } from '../clients/fetch-document.ts'
import type { RedirectMatching } from '../clients/redirect-uris.ts'
import { seededRandom, systemRandom, type RandomBytes } from '../crypto/random.ts'
import { seededKey } from '../crypto/seeded-keys.ts'
import { algorithmOf, signingAlgorithms, type SigningAlgorithm } from '../crypto/signer.ts'
import type { ScopedFaultSpec } from '../faults/index.ts'
import { requireBranding, type Branding } from '../pages/branding.ts'
import type { Deviations, Preset } from '../presets/deviation.ts'
import { deviationsOf, type PresetName } from '../presets/index.ts'
import type { CredentialPlace } from '../resource/bearer-token.ts'
import { createAudiences, type AudienceInput, type Audiences } from '../resource/audiences.ts'
import { itemRoutes } from '../resource/items.ts'
import type { ResourceRoute } from '../resource/resource-route.ts'
import type { Clock } from '../storage/clock.ts'
import { limits, type Limits } from '../storage/limits.ts'
import type { Storage } from '../storage/storage.ts'
import type { ClaimRule, TokenHook } from '../tokens/token-draft.ts'
import { requireKnown } from './known-names.ts'
import { defaultLifetimes, type Lifetimes } from '../tokens/lifetimes.ts'

/** Bytes of a request body, unless the option says otherwise. */
export const defaultBodyLimit = 64 * 1024

/** How long what is issued lives, in seconds. */
export interface IssuerOptions {
  /** As `https://provider.test` or `https://provider.test/tenant`, without a trailing slash. */
  readonly issuer?: string | undefined
  readonly clients?: readonly ClientInput[] | undefined
  readonly scopes?: readonly string[] | undefined
  /** APIs of your own that tokens may be for: clients request them by `resource` or `audience`. */
  readonly audiences?: readonly AudienceInput[] | undefined
  /** In seconds. Default: code 60, accessToken 3600, refreshToken 30 days, deviceCode 600. */
  readonly lifetimes?: Partial<Lifetimes> | undefined
  /** The clock that the provider's own, movable one is based on. Default: the system's. */
  readonly clock?: Clock | undefined
  /** Default: the system's. Inject a seeded source for reproducible values; signatures stay random. */
  readonly random?: RandomBytes | undefined
  /** Makes every value and the key reproducible, for the same requests in the same order. */
  readonly seed?: string | undefined
  /**
   * Private keys to sign with: RSA for RS256, EC P-256 for ES256, Ed25519 for EdDSA, one of each at
   * most. Default: new ones, made when they are first needed.
   */
  readonly signingKey?: KeyObject | readonly KeyObject[] | undefined
  /**
   * By what ID tokens are signed for clients that are not registered otherwise. Default: RS256, which
   * OpenID Connect Dynamic Client Registration §2 has for a default, too.
   */
  readonly idTokenSigningAlg?: SigningAlgorithm | undefined
  /** How a token may be presented. Default: in the header only (RFC 9700 §4.3.2). */
  readonly bearerMethods?: readonly CredentialPlace[] | undefined
  readonly redirectMatching?: RedirectMatching | undefined
  /** What clients are held to unless they are registered otherwise. Default: S256. */
  readonly pkce?: PkcePolicy | undefined
  /** The provider to deviate like, by its name, or one of your own. Default: none; strict. */
  readonly preset?: PresetName | Preset | undefined
  /** The protected API, under `/resource`. Default: the items. */
  readonly resources?: readonly ResourceRoute[] | undefined
  /** Approves every request as this user, without a page. */
  readonly autoApprove?: { readonly subject: string } | undefined
  /** Bytes that a request body may have. Default: 64 KiB. */
  readonly bodyLimit?: number | undefined
  /** `jwt` follows RFC 9068. Default: opaque. */
  readonly accessTokenFormat?: 'opaque' | 'jwt' | undefined
  /** By what access tokens are signed that are JWTs. Default: ES256. */
  readonly accessTokenSigningAlg?: SigningAlgorithm | undefined
  /** Seconds that a device waits between two polls (RFC 8628 §3.2). Default: 5. */
  readonly deviceInterval?: number | undefined
  /** Whether DPoP proofs must contain a nonce of the provider (RFC 9449 §8). Default: no. */
  readonly dpopNonce?: boolean | undefined
  /**
   * Fetches what clients publish about themselves. Default: from public addresses only, over https,
   * without following redirects, so that no client can make the provider look inside a network.
   */
  readonly fetch?: DocumentFetch | undefined
  /** Faults from the start, for everybody unless they have a scope. */
  readonly faults?: readonly ScopedFaultSpec[] | undefined
  /** What instances have in common. Default: the memory of this process. */
  readonly storage?: Storage | undefined
  /** What is kept at most. Default: `limits`. */
  readonly limits?: Partial<Limits> | undefined
  /** Claims that are added to tokens, as data; `onToken` comes after them. */
  readonly tokenClaims?: readonly ClaimRule[] | undefined
  /** Called for every access token and ID token before it is issued; returns claims to add. */
  readonly onToken?: TokenHook | undefined
  /** Who can sign in at the page; a decision may name any other. Default: alice and bob. */
  readonly users?: readonly User[] | undefined
  /** What the page at which a person signs in looks like. Default: plain. */
  readonly branding?: Branding | undefined
}

/** The names of the options, for callers without types. */
const optionNames = Object.keys({
  issuer: true,
  clients: true,
  scopes: true,
  audiences: true,
  lifetimes: true,
  clock: true,
  random: true,
  seed: true,
  signingKey: true,
  idTokenSigningAlg: true,
  bearerMethods: true,
  redirectMatching: true,
  pkce: true,
  preset: true,
  resources: true,
  autoApprove: true,
  bodyLimit: true,
  accessTokenFormat: true,
  accessTokenSigningAlg: true,
  deviceInterval: true,
  dpopNonce: true,
  fetch: true,
  faults: true,
  storage: true,
  limits: true,
  tokenClaims: true,
  onToken: true,
  users: true,
  branding: true,
} satisfies Record<keyof IssuerOptions, true>)

/** The options with every default resolved. */
export interface Settings {
  readonly issuer: string
  readonly clients: readonly ClientInput[]
  readonly scopes: readonly string[]
  readonly audiences: Audiences
  readonly lifetimes: Lifetimes
  readonly clock: Clock
  readonly random: RandomBytes
  /** The key to begin with, where it is not just any. */
  readonly firstKey: (algorithm: SigningAlgorithm) => KeyObject | undefined
  readonly idTokenSigningAlg: SigningAlgorithm
  readonly bearerMethods: readonly CredentialPlace[]
  readonly redirectMatching: RedirectMatching
  readonly pkce: PkcePolicy
  readonly deviations: Deviations
  /** The scope that userinfo needs. */
  readonly userinfoScope: string
  /** Whether code verifiers may be longer than RFC 7636 §4.1 allows. */
  readonly longVerifiers: boolean
  /** Whether whoever has a token may revoke it. */
  readonly revokesForAnybody: boolean
  readonly resources: readonly ResourceRoute[]
  readonly autoApprove: { readonly subject: string } | undefined
  readonly bodyLimit: number
  readonly accessTokenFormat: 'opaque' | 'jwt'
  readonly accessTokenSigningAlg: SigningAlgorithm
  readonly deviceInterval: number
  readonly dpopNonce: boolean
  readonly fetch: DocumentFetch
  readonly faults: readonly ScopedFaultSpec[]
  readonly storage: Storage | undefined
  readonly limits: Limits
  readonly users: readonly User[]
  readonly tokenClaims: readonly ClaimRule[]
  readonly onToken: TokenHook | undefined
  readonly branding: Branding | undefined
}

/**
 * Resolves the options.
 * @throws TypeError for an unusable issuer, and an option, preset or choice that there is not
 */
export function resolveOptions(options: IssuerOptions): Settings {
  requireKnown('option', options, optionNames)
  requireKnown('lifetime', options.lifetimes ?? {}, Object.keys(defaultLifetimes))
  requireKnown('limit', options.limits ?? {}, Object.keys(limits))
  for (const user of options.users ?? []) {
    requireKnown('member of a user', user, ['subject', 'name', 'email', 'claims'])
  }
  if (options.branding) requireBranding(options.branding)
  requireChoices(options)
  const deviations = deviationsOf(options.preset)
  const relaxed = deviations.flatMap(([, deviation]) => deviation.options ?? [])
  const issuer = requireIssuer(options.issuer ?? 'https://provider.test')
  const seeded = options.seed === undefined ? undefined : seededRandom(`${options.seed} ${issuer}`)
  return {
    issuer,
    clients: options.clients ?? [],
    scopes: options.scopes ?? [...defaultScopes, ...relaxed.flatMap(({ scopes = [] }) => scopes)],
    audiences: createAudiences(options.audiences ?? []),
    lifetimes: {
      ...defaultLifetimes,
      ...merged(relaxed.map(({ lifetimes }) => lifetimes)),
      ...options.lifetimes,
    },
    clock: options.clock ?? Date,
    random: options.random ?? seeded ?? systemRandom(),
    firstKey: firstKeysOf(options, issuer),
    idTokenSigningAlg: options.idTokenSigningAlg ?? 'RS256',
    bearerMethods: options.bearerMethods ?? ['header'],
    redirectMatching: options.redirectMatching ?? 'exact',
    pkce: options.pkce ?? merged(relaxed).pkce ?? 'S256',
    deviations,
    userinfoScope: merged(relaxed).userinfoScope ?? 'openid',
    longVerifiers: merged(relaxed).longVerifiers ?? false,
    revokesForAnybody: merged(relaxed).revokesForAnybody ?? false,
    resources: options.resources ?? itemRoutes({ ...limits, ...options.limits }),
    autoApprove: options.autoApprove,
    bodyLimit: options.bodyLimit ?? defaultBodyLimit,
    accessTokenFormat: options.accessTokenFormat ?? 'opaque',
    accessTokenSigningAlg: options.accessTokenSigningAlg ?? 'ES256',
    deviceInterval: options.deviceInterval ?? 5,
    dpopNonce: options.dpopNonce ?? false,
    fetch: options.fetch ?? fetchFromPublic,
    faults: options.faults ?? [],
    storage: options.storage,
    limits: { ...limits, ...options.limits },
    users: options.users ?? defaultUsers,
    tokenClaims: [
      ...relaxed.flatMap(({ tokenClaims = [] }) => tokenClaims),
      ...(options.tokenClaims ?? []),
    ],
    onToken: options.onToken,
    branding: options.branding,
  }
}

/**
 * The keys that were given, or that the seed makes: from a stream of their own, because they are made
 * when they are first needed, whenever that is.
 * @throws TypeError for keys that cannot be used, or two for one algorithm
 */
function firstKeysOf({ signingKey = [], seed }: IssuerOptions, issuer: string) {
  const given = new Map<SigningAlgorithm, KeyObject>()
  for (const key of [signingKey].flat()) {
    const algorithm = algorithmOf(key)
    if (given.has(algorithm)) throw new TypeError(`two signing keys are for ${algorithm}`)
    given.set(algorithm, key)
  }
  return (algorithm: SigningAlgorithm) => {
    const known = given.get(algorithm)
    if (known || seed === undefined) return known
    const made = seededKey(algorithm, seededRandom(`${seed} ${issuer} ${algorithm}`))
    given.set(algorithm, made)
    return made
  }
}

/** What may be chosen: a misspelt leniency must not become another one unnoticed. */
const choices = [
  ['accessTokenFormat', ['opaque', 'jwt']],
  ['accessTokenSigningAlg', signingAlgorithms],
  ['idTokenSigningAlg', signingAlgorithms],
  ['pkce', ['S256', 'plain', 'optional']],
  ['redirectMatching', ['exact', 'ignore-query']],
] as const satisfies readonly (readonly [keyof IssuerOptions, readonly string[]])[]

/** @throws TypeError for a value that only a caller without types can give */
function requireChoices(options: IssuerOptions): void {
  for (const [name, known] of choices) {
    const given = options[name]
    if (given !== undefined && !known.some((each) => each === given)) {
      throw new TypeError(`${name} must be one of ${known.join(', ')}, but is ${given}`)
    }
  }
}

/** The members of all, the last winning. */
function merged<T extends object>(all: readonly (T | undefined)[]): Partial<T> {
  return Object.assign({}, ...all)
}

const defaultScopes: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
  'items:read',
  'items:write',
]

/** RFC 8414 §2: a URL without query and fragment; and in its normal form, because it is compared. */
function requireIssuer(issuer: string): string {
  const { origin = '', pathname = '' } = URL.canParse(issuer) ? new URL(issuer) : {}
  const path = pathname === '/' ? '' : pathname
  if (issuer !== origin + path || !/^(\/[\w.~-]+)*$/.test(path)) {
    throw new TypeError(
      `the issuer must be a URL without a trailing slash, query, fragment and default port, as https://provider.test or https://provider.test/team, but is ${issuer}`,
    )
  }
  return issuer
}
