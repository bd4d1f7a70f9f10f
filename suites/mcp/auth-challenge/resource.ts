/** How resource identifiers and issuers are compared (RFC 8707 §2, RFC 9728 §3.3, RFC 8414 §3.3). */

/** Whether a resource identifier covers an endpoint: the same origin, and the path or what stands above it. */
export function coveredBy(
  resource: string,
  endpoint: string,
  reached: (origin: string) => string,
): boolean {
  if (!URL.canParse(resource) || !URL.canParse(endpoint)) return false
  const [own, wanted] = [new URL(resource), new URL(endpoint)]
  const path = own.pathname.replace(/\/$/, '')
  return (
    own.hash === '' &&
    (own.search === '' || own.search === wanted.search) &&
    reached(own.origin) === reached(wanted.origin) &&
    (wanted.pathname === own.pathname ||
      wanted.pathname === path ||
      wanted.pathname.startsWith(`${path}/`))
  )
}

/**
 * Whether it is the endpoint itself, apart from the name under which its origin is reached, and from the slash that a
 * URL without a path has or has not (RFC 3986 §6.2.3; MCP Authorization, Canonical Server URI).
 */
export function isEndpoint(
  resource: string,
  endpoint: string,
  reached: (origin: string) => string,
): boolean {
  if (!URL.canParse(resource)) return false
  const { origin, href } = new URL(resource)
  return reached(origin) + href.slice(origin.length) === endpoint
}

/** Issuers are compared as they are, but for the slash that a URL without a path has or has not (RFC 3986 §6.2.3). */
export function isSameIssuer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

/** MCP Authorization, Authorization Server Metadata Discovery: in this order. */
export function wellKnownUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  )
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`]
}
