/** Disturbs a redirect on its way back. */

/** In the query, or in the fragment where that was asked for (OAuth 2.0 Multiple Response Type Encoding Practices §2.1). */
function whereOf({ hash }: URL): 'hash' | 'search' {
  const fragment = new URLSearchParams(hash.slice(1))
  return ['code', 'error'].some((name) => fragment.has(name)) ? 'hash' : 'search'
}

/** The parameters of an authorization response. */
export function responseParameters(url: string): URLSearchParams {
  const parsed = new URL(url)
  return new URLSearchParams(parsed[whereOf(parsed)].slice(1))
}

/** A redirect with parameters replaced, or removed where the new value is `undefined`. */
export function tamper(url: string, changes: Readonly<Record<string, string | undefined>>): string {
  const tampered = new URL(url)
  const parameters = responseParameters(url)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  tampered[whereOf(tampered)] = parameters.toString()
  return tampered.href
}
