/** Access tokens for an MCP endpoint that are wrong in one way, and otherwise right. */

import { randomBytes } from 'node:crypto'
import { signedByKeysAt } from './sender-keys.ts'
import type { OpenedProvider, UnknownProviders } from './unknown-providers.ts'

/** In which way a token is wrong. */
export type Flaw =
  | 'expired'
  | 'other-audience'
  | 'similar-audience'
  | 'no-audience'
  | 'other-issuer'
  | 'other-tenant'
  | 'key-by-url'
  | 'altered'
  | 'unsigned'

type Issuing = Pick<OpenedProvider, 'issueToken'> &
  Partial<Pick<OpenedProvider, 'jwksUri' | 'signingKeys'>>
type DirectTokenRequest = NonNullable<Parameters<Issuing['issueToken']>[0]>

export interface FlawedParts {
  /** Who issues it. */
  readonly provider: Issuing
  /** The issuer that the server knows. */
  readonly issuer: string
  /** What the token would be for. */
  readonly resource: string
  /** What is requested of a right one, beside its audience. */
  readonly right: DirectTokenRequest
}

/** Who issues a token with this flaw. */
export function issuerOf(
  flaw: Flaw,
  known: Issuing,
  unknownProvider: UnknownProviders['open'],
): Issuing | Promise<Issuing> {
  if (flaw === 'other-issuer' || flaw === 'key-by-url') return unknownProvider('own')
  // Who asks the provider, which knows nothing of it, learns that it is not active.
  return flaw === 'other-tenant' ? unknownProvider('known') : known
}

/** Seconds since an expired token expired: more than the few minutes that clocks may differ by (RFC 7519 §4.1.4). */
const expiredFor = 900
/** An API that the server is not. */
const otherAudience = 'https://another-api.example/mcp'

/** What a comparison by prefix, end, origin or host name takes for a resource. */
export function similarTo(resource: string): readonly string[] {
  const { host, pathname } = new URL(resource)
  const otherPort = new URL(resource)
  otherPort.port = '1'
  return [
    resource.replace(host, `${host}@another-api.example`),
    otherPort.href,
    resource.replace(/.\/?$/, ''),
    `https://another-api.example/${resource}`,
    ...(pathname === '/' ? [] : [`${resource.replace(/\/$/, '')}-of-another`]),
  ]
}

/** A token with this flaw. */
export async function flawedToken(flaw: Flaw, parts: FlawedParts): Promise<string> {
  const { provider, resource, right } = parts
  const request = { ...right, audience: [resource], ...changesOf(parts)[flaw] }
  const { access_token: issued } = await provider.issueToken(request)
  return spoilt[flaw]?.(issued, provider) ?? issued
}

/** What is requested in place of what is right. */
function changesOf({ resource, issuer }: FlawedParts): Partial<Record<Flaw, DirectTokenRequest>> {
  return {
    expired: { lifetime: -expiredFor },
    'other-audience': { audience: [otherAudience] },
    'similar-audience': { audience: similarTo(resource) },
    'no-audience': { audience: [], claims: { aud: undefined } },
    'other-issuer': { format: 'jwt' },
    'other-tenant': { format: 'jwt', claims: { iss: `${issuer}/another-tenant` } },
    'key-by-url': { format: 'jwt', claims: { iss: issuer } },
    unsigned: { format: 'jwt' },
  }
}

/** What is done to a token after it was issued. */
const spoilt: Partial<Record<Flaw, (token: string, provider: Issuing) => string>> = {
  altered,
  unsigned,
  'key-by-url': (token, { jwksUri = '', signingKeys = [] }) =>
    signedByKeysAt(jwksUri, token, signingKeys),
}

/** The same claims without a signature, which they say they need not have (RFC 8725 §2.1). */
function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}

/** The same token with another signature; an opaque one is another value. */
export function altered(token: string): string {
  const start = token.lastIndexOf('.') + 1 || 3
  const [kept, rest] = [token.slice(0, start), token.slice(start)]
  return kept + randomBytes(rest.length).toString('base64url').slice(0, rest.length)
}
