/** Recognises an ID token that this provider issued, when it comes back as a hint (OpenID Connect Core §3.1.2.1). */
import { createPublicKey, verify } from 'node:crypto'
import { decodeJwt } from '../crypto/decode-jwt.ts'
import type { ProviderState } from '../provider/state.ts'

export interface OwnIdToken {
  readonly sub: string
  /** The client that it was issued to. */
  readonly aud: string
}

/**
 * The claims of an ID token that a published key signed. One that has expired is as good: it says
 * who was meant and opens nothing (OpenID Connect RP-Initiated Logout §2).
 */
export async function ownIdToken(
  { signer, settings }: ProviderState,
  token: string,
): Promise<OwnIdToken | undefined> {
  const decoded = decodeJwt(token)
  if (decoded?.header['typ'] !== 'JWT') return undefined
  const { keys } = await signer.published()
  const jwk = keys.find(({ kid }) => kid === decoded.header['kid'])
  if (!jwk || jwk['alg'] !== decoded.header['alg']) return undefined
  const end = token.lastIndexOf('.')
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const isOurs = verify(
    jwk['alg'] === 'EdDSA' ? null : 'sha256',
    Buffer.from(token.slice(0, end)),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(token.slice(end + 1), 'base64url'),
  )
  const { iss, sub, aud } = decoded.claims
  if (!isOurs || iss !== settings.issuer) return undefined
  return typeof sub === 'string' && typeof aud === 'string' ? { sub, aud } : undefined
}
