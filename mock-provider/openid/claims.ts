/** What is said about a person: which claims a scope or a `claims` parameter lets through (OpenID Connect Core §5). */
import type { User } from '../authorization/user.ts'
import { OAuthError } from '../http/oauth-error.ts'

/** Claims by their names. */
export type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core §5.4. */
const scopeClaims: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

const governed = Object.values(scopeClaims).flat()

/** The claims of the metadata document (OpenID Connect Discovery §3). */
export const supportedClaims: readonly string[] = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  ...governed,
]

/** Everything that is known about somebody, one of the users or not (OpenID Connect Core §5.1). */
export function claimsOf({ subject, name, email, claims }: User): Claims {
  return {
    name: name ?? subject,
    email: email ?? `${encodeURIComponent(subject)}@users.example`,
    email_verified: true,
    ...claims,
  }
}

/** What is told: by scope, by name, and whatever no scope of OpenID Connect is about. */
export function releasedClaims(
  user: User,
  scopes: readonly string[],
  names: readonly string[] = [],
): Claims {
  const allowed = new Set([...scopes.flatMap((scope) => scopeClaims[scope] ?? []), ...names])
  const entries = Object.entries(claimsOf(user))
  return Object.fromEntries(
    entries.filter(([name]) => allowed.has(name) || !governed.includes(name)),
  )
}

/** A claim that is asked for by name (OpenID Connect Core §5.5.1). */
interface ClaimRequest {
  readonly value?: unknown
  readonly values?: readonly unknown[]
}

/** What a `claims` parameter asks for. */
export interface ClaimsRequest {
  readonly idToken: Readonly<Record<string, ClaimRequest>>
  readonly userinfo: Readonly<Record<string, ClaimRequest>>
}

/**
 * Reads a `claims` parameter (OpenID Connect Core §5.5). Members that are not understood are ignored.
 * @throws OAuthError `invalid_request`
 */
export function parseClaims(text: string | undefined): ClaimsRequest | undefined {
  if (text === undefined) return undefined
  const request = objectIn(() => JSON.parse(text))
  const membersOf = (value: unknown) =>
    Object.fromEntries(
      Object.entries(value === undefined ? {} : objectIn(() => value)).map(([name, asked]) => [
        name,
        asked === null ? {} : objectIn(() => asked),
      ]),
    )
  return { idToken: membersOf(request['id_token']), userinfo: membersOf(request['userinfo']) }
}

function objectIn(read: () => unknown): Readonly<Record<string, unknown>> {
  try {
    const value = read()
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // refused below
  }
  throw new OAuthError('invalid_request', 'the claims parameter is not an object of objects')
}

/** The value that a claim is to have, the first of several: `acr` or `sub`. */
export function wantedValue(request: ClaimRequest | undefined): string | undefined {
  const wanted = request?.value ?? (Array.isArray(request?.values) ? request.values[0] : undefined)
  return typeof wanted === 'string' ? wanted : undefined
}
