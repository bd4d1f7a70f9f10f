/** Redirect URIs: which can be registered, and which match a registered one. */

/** `exact` is what RFC 9700 §2.1 demands; `ignore-query` is a leniency that some providers have. */
export type RedirectMatching = 'exact' | 'ignore-query'

const withoutQuery = (uri: string) => uri.split('?', 1)[0]

/** RFC 8252 §7.3: a native app listens on whatever port is free. */
const withoutLoopbackPort = (uri: string) =>
  uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):(?:0|[1-9]\d{0,4})(?=[/?]|$)/, '$1')

/** RFC 3986 §6.2.1: simple string comparison, as RFC 9700 §2.1 demands, ports of the loopback interface excepted. */
export function matchesExactly(registered: string, uri: string): boolean {
  if (registered === uri) return true
  return URL.canParse(uri) && withoutLoopbackPort(registered) === withoutLoopbackPort(uri)
}

export type Matches = (registered: string, uri: string) => boolean

/** For URIs that were learned: the first one came with its port. */
export const matchesAsRegistered: Matches = (registered, uri) => registered === uri

export const redirectMatchers: Readonly<Record<RedirectMatching, Matches>> = {
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
