/** Access tokens for an MCP endpoint that are wrong in one way, and otherwise right. */

import { randomBytes, type KeyObject } from 'node:crypto'
import { forgedBy, signedByKeysAt, signedBySender, withClaims, withHeader } from './sender-keys.ts'
import type { OpenedProvider, UnknownProviders } from './unknown-providers.ts'

type Issuing = Pick<OpenedProvider, 'issueToken'>
type DirectTokenRequest = NonNullable<Parameters<Issuing['issueToken']>[0]>

/** What is said of a token that is wrong in this way. */
export const flaws = {
  expired: 'has expired',
  'not-yet-valid': 'is not valid yet',
  'other-audience': 'is for another resource',
  'similar-audience': 'is for resources whose names begin alike',
  'no-audience': 'does not say what it is for',
  'other-issuer': 'comes from another issuer',
  'other-tenant': 'comes from another issuer with the same keys',
  'no-issuer': 'does not say who issued it',
  'key-by-url': 'is signed by a key that its header says where to find',
  altered: 'has been altered',
  unsigned: 'has no signature',
  'by-public-key': 'is sealed with the public key of the issuer as a secret',
  'by-known-secret': 'is sealed with a secret that anybody guesses',
  'by-key-in-header': 'is signed by a key that stands in its header, as it is or in a certificate',
  'by-chosen-algorithm': 'is signed by its sender, by an algorithm that its header chooses',
} as const

/** In which way a token is wrong. */
export type Flaw = keyof typeof flaws

export interface FlawedParts {
  /** The provider that the server knows. */
  readonly known: Issuing & { readonly issuer: string }
  /** What it signs with. */
  readonly signingKeys: readonly KeyObject[]
  /** One that the server does not know. */
  readonly unknownProvider: UnknownProviders['open']
  /** What the token would be for. */
  readonly resource: string
  /** What is requested of a right one, beside its audience. */
  readonly right: DirectTokenRequest
}

/** One way to make a token with a flaw. */
interface Form {
  readonly flaw: Flaw
  /** Whose provider issues it; default: the one that the server knows. */
  readonly by?: Parameters<UnknownProviders['open']>[0]
  /** What is requested in place of what is right. */
  readonly request?: (parts: FlawedParts) => DirectTokenRequest
  /** What is done to it after it was issued. */
  readonly spoilt?: (
    token: string,
    provider: Pick<OpenedProvider, 'signingKeys' | 'jwksUri'>,
  ) => string | Promise<string>
}

/** Seconds since an expired token expired: more than the few minutes that clocks may differ by (RFC 7519 §4.1.4). */
const expiredFor = 900
/** Seconds until one is valid that is not valid yet (RFC 7519 §4.1.5). */
const validIn = 3600
/** An API that the server is not. */
const otherAudience = 'https://another-api.example/mcp'

const jwt = () => ({ format: 'jwt' }) as const

// Who asks the provider about what another one issued, which knows nothing of it, learns that it is not active.
const forms = {
  expired: { flaw: 'expired', request: () => ({ lifetime: -expiredFor }) },
  'not-yet-valid': {
    flaw: 'not-yet-valid',
    by: 'known',
    request: ({ known }) => ({
      format: 'jwt',
      claims: { iss: known.issuer, nbf: Math.floor(Date.now() / 1000) + validIn },
    }),
  },
  'other-audience': { flaw: 'other-audience', request: () => ({ audience: [otherAudience] }) },
  // Whoever calls that API is in its audience as well, and may not hand on its tokens.
  'audience-of-the-api': {
    flaw: 'other-audience',
    request: ({ known }) => ({ audience: [`${known.issuer.replace(/\/$/, '')}/resource`] }),
  },
  'similar-audience': {
    flaw: 'similar-audience',
    request: ({ resource }) => ({ audience: similarTo(resource) }),
  },
  'no-audience': {
    flaw: 'no-audience',
    request: () => ({ audience: [], claims: { aud: undefined } }),
  },
  'other-issuer': { flaw: 'other-issuer', by: 'own', request: jwt },
  'other-tenant': {
    flaw: 'other-tenant',
    by: 'known',
    request: ({ known }) => ({ format: 'jwt', claims: { iss: `${known.issuer}/another-tenant` } }),
  },
  'no-issuer': {
    flaw: 'no-issuer',
    by: 'known',
    request: () => ({ format: 'jwt', claims: { iss: undefined } }),
  },
  'key-by-url': {
    flaw: 'key-by-url',
    by: 'own',
    request: ({ known }) => ({ format: 'jwt', claims: { iss: known.issuer } }),
    spoilt: (token, { jwksUri, signingKeys }) => signedByKeysAt(jwksUri, token, signingKeys),
  },
  altered: { flaw: 'altered', spoilt: altered },
  // A length that an algorithm does not have makes some libraries throw, and some callers of them believe.
  'cut-short': { flaw: 'altered', spoilt: cutShort },
  'other-claims': { flaw: 'altered', spoilt: otherClaims },
  unsigned: { flaw: 'unsigned', request: jwt, spoilt: (token) => unsigned(token, 'none') },
  'unsigned-in-capitals': {
    flaw: 'unsigned',
    request: jwt,
    spoilt: (token) => unsigned(token, 'NONE'),
  },
  'unsigned-capitalized': {
    flaw: 'unsigned',
    request: jwt,
    spoilt: (token) => unsigned(token, 'None'),
  },
  'signature-left-out': {
    flaw: 'unsigned',
    request: jwt,
    spoilt: (token) => token.slice(0, token.lastIndexOf('.') + 1),
  },
  pem: sealed('by-public-key', 'pem'),
  'trimmed-pem': sealed('by-public-key', 'trimmed-pem'),
  der: sealed('by-public-key', 'der'),
  'empty-secret': sealed('by-known-secret', 'empty'),
  zeros: sealed('by-known-secret', 'zeros'),
  jwk: sealed('by-key-in-header', 'jwk'),
  x5c: sealed('by-key-in-header', 'x5c'),
  es256: signed('ES256'),
  ps256: signed('PS256'),
  'unknown-algorithm': signed('XS256'),
} satisfies Readonly<Record<string, Form>>

/** A way to make a token that is wrong. */
export type TokenForm = keyof typeof forms

/** Every form of a token. */
export const tokenForms = Object.keys(forms) as readonly TokenForm[]

/** The forms in which a flaw is tried. */
export function formsOf(flaw: Flaw): readonly TokenForm[] {
  return tokenForms.filter((form) => forms[form].flaw === flaw)
}

/** A token of this form. */
export async function flawedToken(form: TokenForm, parts: FlawedParts): Promise<string> {
  const { known, signingKeys, unknownProvider, resource, right } = parts
  const { by, request, spoilt }: Form = forms[form]
  const unknown = by && (await unknownProvider(by))
  const wanted = { ...right, audience: [resource], ...request?.(parts) }
  const { access_token: issued } = await (unknown ?? known).issueToken(wanted)
  return spoilt?.(issued, unknown ?? { signingKeys, jwksUri: '' }) ?? issued
}

/** What a comparison by prefix, end, origin, host name, length or letters takes for a resource. */
export function similarTo(resource: string): readonly string[] {
  const { host, pathname, port } = new URL(resource)
  const otherPort = new URL(resource)
  otherPort.port = port === '' ? '1' : port.replace(/.$/, (digit) => (digit === '1' ? '2' : '1'))
  const otherCase = new URL(resource)
  otherCase.pathname = swapCase(pathname)
  return [
    resource.replace(host, `${host}@another-api.example`),
    otherPort.href,
    resource.replace(/.\/?$/, ''),
    `https://another-api.example/${resource}`,
    ...(otherCase.pathname === pathname ? [] : [otherCase.href]),
    ...(pathname === '/' ? [] : [`${resource.replace(/\/$/, '')}-of-another`]),
  ]
}

function swapCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

/** The claims of a right token, by a key that its sender has. */
function sealed(flaw: Flaw, key: Parameters<typeof forgedBy>[0]): Form {
  return {
    flaw,
    request: jwt,
    spoilt: (token, { signingKeys }) => forgedBy(key, token, signingKeys),
  }
}

/** The claims of a right token, by a key of its sender's own that stands nowhere. */
function signed(alg: Parameters<typeof signedBySender>[0]): Form {
  return {
    flaw: 'by-chosen-algorithm',
    request: jwt,
    spoilt: (token) => signedBySender(alg, token),
  }
}

/** The same claims without a signature, which they say they need not have (RFC 8725 §2.1). */
function unsigned(token: string, alg: string): string {
  return `${withHeader(token, { alg, kid: undefined })}.`
}

/** The same token with another signature; an opaque one is another value. */
export function altered(token: string): string {
  const start = token.lastIndexOf('.') + 1 || 3
  const [kept, rest] = [token.slice(0, start), token.slice(start)]
  return kept + randomBytes(rest.length).toString('base64url').slice(0, rest.length)
}

/** The same token without the second half of its signature; of an opaque one, of all that it is. */
export function cutShort(token: string): string {
  const start = token.lastIndexOf('.') + 1
  return token.slice(0, start + Math.floor((token.length - start) / 2))
}

/** Header and signature of a token, for another user (RFC 8725 §3.3); an opaque one has another beginning. */
export function otherClaims(token: string): string {
  const [header, payload, signature] = token.split('.')
  if (payload !== undefined && signature !== undefined)
    return `${header}.${withClaims(payload, { sub: 'somebody-else' })}.${signature}`
  const half = Math.floor(token.length / 2)
  return randomBytes(half).toString('base64url').slice(0, half) + token.slice(half)
}
