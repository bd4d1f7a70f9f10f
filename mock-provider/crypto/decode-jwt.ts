/** Reads a JSON Web Token without believing it (RFC 7519 §7.2, before any signature is checked). */

export interface DecodedJwt {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** The parts of a compact token, or nothing when it is none. */
export function decodeJwt(token: string): DecodedJwt | undefined {
  const parts = token.split('.')
  const [header, claims] = parts.slice(0, 2).map(decodeObject)
  return parts.length === 3 && header && claims ? { header, claims } : undefined
}

function decodeObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}
