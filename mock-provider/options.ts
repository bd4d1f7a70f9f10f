/** The options of the provider and their defaults. */
import type { KeyObject } from 'node:crypto'
import type { CredentialPlace } from './bearer-token.ts'
import type { Clock } from './clock.ts'
import type { ClientInput, RedirectMatching } from './clients.ts'
import type { ScopedFaultSpec } from './faults/index.ts'
import { fetchFromPublic, type DocumentFetch } from './fetch-document.ts'
import { itemRoutes } from './items.ts'
import { limits, type Limits } from './limits.ts'
import { defaultUsers, type User } from './users.ts'
import type { PkcePolicy } from './pkce.ts'
import { deviationsOf, type Deviations } from './profiles/apply.ts'
import type { Profile } from './profiles/deviation.ts'
import { isProfileName, profiles, type ProfileName } from './profiles/index.ts'
import { seededRandom, systemRandom, type RandomBytes } from './random.ts'
import { signingKeyFrom } from './signer.ts'
import type { ResourceRoute } from './resource-route.ts'
import type { Storage } from './storage/storage.ts'

export interface Lifetimes {
  /** Seconds. */
  readonly code: number
  readonly accessToken: number
  readonly refreshToken: number
  readonly deviceCode: number
}

export interface MockProviderOptions {
  /** As `https://provider.test` or `https://provider.test/tenant`, without a trailing slash. */
  readonly issuer?: string | undefined
  readonly clients?: readonly ClientInput[] | undefined
  readonly scopes?: readonly string[] | undefined
  /** In seconds. Default: code 60, accessToken 3600, refreshToken 30 days, deviceCode 600. */
  readonly lifetimes?: Partial<Lifetimes> | undefined
  /** The clock that the provider's own, movable one is based on. Default: the system's. */
  readonly clock?: Clock | undefined
  /** Default: the system's. Inject a seeded source for reproducible values; signatures stay random. */
  readonly random?: RandomBytes | undefined
  /** Makes every value and the key reproducible, for the same requests in the same order. */
  readonly seed?: string | undefined
  /** An EC P-256 private key for ES256. Default: a new one. */
  readonly signingKey?: KeyObject | undefined
  /** How a token may be presented. Default: in the header only (RFC 9700 §4.3.2). */
  readonly bearerMethods?: readonly CredentialPlace[] | undefined
  readonly redirectMatching?: RedirectMatching | undefined
  /** What clients are held to unless they are registered otherwise. Default: S256. */
  readonly pkce?: PkcePolicy | undefined
  /** The provider to deviate like, by its name, or one of your own. Default: none; strict. */
  readonly profile?: ProfileName | Profile | undefined
  /** The protected API, under `/resource`. Default: the items. */
  readonly resources?: readonly ResourceRoute[] | undefined
  /** Approves every request as this user, without a page. */
  readonly autoApprove?: { readonly subject: string } | undefined
  /** Bytes that a request body may have. Default: 64 KiB. */
  readonly bodyLimit?: number | undefined
  /** `jwt` follows RFC 9068. Default: opaque. */
  readonly accessTokenFormat?: 'opaque' | 'jwt' | undefined
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
  /** Issuers at `/{tenant}`, with the same options but nothing else in common. Default: none. */
  readonly tenants?: boolean | TenantOptions | undefined
  /** The inspection and control API, under `/_control`. Default: off. */
  readonly control?: boolean | ControlOptions | undefined
  /** What is kept at most. Default: `limits`. */
  readonly limits?: Partial<Limits> | undefined
  /** Who can sign in at the page; a decision may name any other. Default: alice and bob. */
  readonly users?: readonly User[] | undefined
}

export interface ControlOptions {
  /** Demanded as a bearer token. Required where others than this machine can reach the provider. */
  readonly token?: string | undefined
}

export interface TenantOptions {
  /** Whether a request to an unknown tenant creates it. Default: true. */
  readonly onFirstUse?: boolean | undefined
  /**
   * The most tenants at a time. Each keeps a share of `limits` that makes all of them together
   * keep as much as one issuer alone; one more forgets the tenant that was used longest ago.
   * Default: 100.
   */
  readonly most?: number | undefined
}

/** The options with every default resolved. */
export interface Settings {
  readonly issuer: string
  readonly clients: readonly ClientInput[]
  readonly scopes: readonly string[]
  readonly lifetimes: Lifetimes
  readonly clock: Clock
  readonly random: RandomBytes
  readonly signingKey: KeyObject | undefined
  readonly bearerMethods: readonly CredentialPlace[]
  readonly redirectMatching: RedirectMatching
  readonly pkce: PkcePolicy
  readonly deviations: Deviations
  readonly resources: readonly ResourceRoute[]
  readonly autoApprove: { readonly subject: string } | undefined
  readonly bodyLimit: number
  readonly accessTokenFormat: 'opaque' | 'jwt'
  readonly deviceInterval: number
  readonly dpopNonce: boolean
  readonly fetch: DocumentFetch
  readonly faults: readonly ScopedFaultSpec[]
  readonly storage: Storage | undefined
  readonly limits: Limits
  readonly users: readonly User[]
}

/**
 * Resolves the options.
 * @throws TypeError for an unusable issuer, an unknown profile or an unknown choice
 */
export function resolveOptions(options: MockProviderOptions): Settings {
  requireChoices(options)
  const deviations = deviationsOf(requireProfile(options.profile))
  const relaxed = deviations.flatMap(([, deviation]) => deviation.options ?? [])
  const issuer = requireIssuer(options.issuer ?? 'https://provider.test')
  const seeded = options.seed === undefined ? undefined : seededRandom(`${options.seed} ${issuer}`)
  return {
    issuer,
    clients: options.clients ?? [],
    scopes: options.scopes ?? [...defaultScopes, ...relaxed.flatMap(({ scopes = [] }) => scopes)],
    lifetimes: {
      ...defaultLifetimes,
      ...merged(relaxed.map(({ lifetimes }) => lifetimes)),
      ...options.lifetimes,
    },
    clock: options.clock ?? Date,
    random: options.random ?? seeded ?? systemRandom(),
    signingKey: options.signingKey ?? (seeded && signingKeyFrom(seeded)),
    bearerMethods: options.bearerMethods ?? ['header'],
    redirectMatching: options.redirectMatching ?? 'exact',
    pkce: options.pkce ?? merged(relaxed).pkce ?? 'S256',
    deviations,
    resources: options.resources ?? itemRoutes({ ...limits, ...options.limits }),
    autoApprove: options.autoApprove,
    bodyLimit: options.bodyLimit ?? 64 * 1024,
    accessTokenFormat: options.accessTokenFormat ?? 'opaque',
    deviceInterval: options.deviceInterval ?? 5,
    dpopNonce: options.dpopNonce ?? false,
    fetch: options.fetch ?? fetchFromPublic,
    faults: options.faults ?? [],
    storage: options.storage,
    limits: { ...limits, ...options.limits },
    users: options.users ?? defaultUsers,
  }
}

/** What may be chosen: a misspelt leniency must not become another one unnoticed. */
const choices = [
  ['accessTokenFormat', ['opaque', 'jwt']],
  ['pkce', ['S256', 'plain', 'optional']],
  ['redirectMatching', ['exact', 'ignore-query']],
] as const satisfies readonly (readonly [keyof MockProviderOptions, readonly string[]])[]

/** @throws TypeError for a value that only a caller without types can give */
function requireChoices(options: MockProviderOptions): void {
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

/** @throws TypeError for an unknown name */
function requireProfile(profile: ProfileName | Profile | undefined): Profile | undefined {
  if (typeof profile !== 'string') return profile
  if (isProfileName(profile)) return profiles[profile]
  const known = Object.keys(profiles).join(', ')
  throw new TypeError(`unknown profile: ${String(profile)}; there are ${known}`)
}

const defaultScopes: readonly string[] = [
  'openid',
  'profile',
  'email',
  'offline_access',
  'items:read',
  'items:write',
]

/**
 * Milliseconds that an authorization, and what was issued for it, is kept after it was last used:
 * as long as its last refresh token can be, so that a late use of anything is recognised.
 */
export function retentionOf({ lifetimes }: Pick<Settings, 'lifetimes'>): number {
  return (lifetimes.code + lifetimes.accessToken + lifetimes.refreshToken) * 1000
}

const defaultLifetimes: Lifetimes = {
  code: 60,
  accessToken: 3600,
  refreshToken: 30 * 24 * 3600,
  deviceCode: 600,
}

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
