/** Where well-known documents are: their part of the path comes before that of what they describe. */

/** The URL of a well-known document about an identifier (RFC 8414 §3.1, RFC 9728 §3.1). */
export function wellKnownUrl(name: string, identifier: string): string {
  const { origin } = new URL(identifier)
  return `${origin}${wellKnownPath(name, identifier)}`
}

/** Its path alone. */
export function wellKnownPath(name: string, identifier: string): string {
  const { origin } = new URL(identifier)
  return `/.well-known/${name}${identifier.slice(origin.length)}`
}
