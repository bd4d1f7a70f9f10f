/** Disturbs a redirect on its way back. */

/** A redirect with query parameters replaced, or removed where the new value is `undefined`. */
export function tamper(url: string, changes: Readonly<Record<string, string | undefined>>): string {
  const tampered = new URL(url)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) tampered.searchParams.delete(name)
    else tampered.searchParams.set(name, value)
  }
  return tampered.href
}
