/** Verifies JSON Web Tokens that clients sign; jose is loaded when the first of them arrives. */
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'

/** Algorithms by which a client may sign with a private key (RFC 7518 §3.1, RFC 8037 §3.1). */
export const asymmetricAlgorithms: readonly string[] = [
  'ES256',
  'PS256',
  'RS256',
  'EdDSA',
  'Ed25519',
]

/** Seconds by which the clocks of a client and the provider may differ (RFC 7519 §4.1.4). */
export const clockTolerance = 30

export type VerifiedJwt = { readonly claims: JWTPayload } | { readonly problem: string }

/** Verifies a token, or says in fixed words which rule it breaks: nothing of it is repeated. */
export async function verifyJwt(
  token: string,
  key: Uint8Array | JWTVerifyGetKey,
  options: JWTVerifyOptions & { readonly algorithms: string[]; readonly currentDate: Date },
): Promise<VerifiedJwt> {
  const { errors, jwtVerify } = await import('jose')
  const all = { clockTolerance, ...options }
  try {
    const { payload } =
      typeof key === 'function'
        ? await jwtVerify(token, key, all)
        : await jwtVerify(token, key, all)
    return { claims: payload }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { problem: 'has expired' }
    if (error instanceof errors.JWTClaimValidationFailed) {
      // jose names claims that it was told to look for, never one that the token made up
      return { problem: `has a missing or wrong ${error.claim}` }
    }
    if (error instanceof errors.JOSEAlgNotAllowed) {
      return { problem: 'is signed by an algorithm that is not allowed' }
    }
    if (error instanceof errors.JWKSNoMatchingKey) return { problem: 'is signed by an unknown key' }
    if (error instanceof errors.JOSEError)
      return { problem: 'is malformed or its signature is wrong' }
    return { problem: 'could not be checked: its keys are unavailable or unusable' }
  }
}
