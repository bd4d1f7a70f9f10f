/** DPoP proofs: that a request comes from the holder of a key (RFC 9449 §4). */
import { hash } from 'node:crypto'
import type { JWK } from 'jose'
import { decodeJwt } from '../crypto/decode-jwt.ts'
import { asymmetricAlgorithms, verifyJwt } from '../crypto/verify-jwt.ts'
import type { Exchange } from '../http/exchange.ts'
import type { ProviderState } from '../provider/state.ts'
import { isFirstUse } from './replays.ts'

export type ProofError = 'invalid_dpop_proof' | 'use_dpop_nonce'

export type ProofOutcome =
  | { readonly status: 'absent' }
  | { readonly status: 'valid'; readonly jkt: string }
  | { readonly status: 'refused'; readonly error: ProofError; readonly problem: string }

/** Seconds around now in which a proof is acceptable (RFC 9449 §11.1). */
const window = 60

const privateMembers = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi']

/**
 * Checks the proof of a request, and that it goes with the access token if there is one
 * (RFC 9449 §4.3). Every check is made; a proof is good for one request.
 */
export async function checkProof(
  state: ProviderState,
  { headers, method, url }: Exchange,
  accessToken?: string,
): Promise<ProofOutcome> {
  const proof = headers.get('dpop')
  if (proof === null) return { status: 'absent' }
  // a header that is sent twice is joined by a comma, which no token contains
  if (proof.includes(',')) return refused('there is more than one')
  const jwk = embeddedKey(proof)
  if (!jwk) return refused('contains no public key')
  const { settings, nonces } = state
  // a client's clock does not move with ours
  const now = settings.clock.now()
  const { calculateJwkThumbprint, importJWK } = await import('jose')
  const result = await verifyJwt(proof, async ({ alg }) => importJWK(jwk, alg), {
    typ: 'dpop+jwt',
    algorithms: [...asymmetricAlgorithms],
    requiredClaims: ['htm', 'htu', 'iat', 'jti'],
    currentDate: new Date(now),
  })
  if ('problem' in result) return refused(result.problem)
  const { htm, htu, iat = 0, jti, ath, nonce } = result.claims
  if (htm !== method) return refused('is for another method')
  if (withoutQuery(htu) !== withoutQuery(new URL(url.pathname, settings.issuer).href)) {
    return refused('is for another URI')
  }
  if (Math.abs(iat * 1000 - now) > window * 1000) return refused('is too old or from the future')
  if (accessToken !== undefined && ath !== digest(accessToken)) {
    return refused('is for another access token')
  }
  if (settings.dpopNonce && !nonces.accepts(nonce)) {
    const problem = 'the DPoP proof must contain a nonce that the server provided'
    return { status: 'refused', error: 'use_dpop_nonce', problem }
  }
  const jkt = await calculateJwkThumbprint(jwk)
  if (typeof jti !== 'string' || jti === '') return refused('has a missing or wrong jti')
  if (!(await isFirstUse(state, `proof ${jkt} ${jti}`, (iat + window + 1) * 1000 - now))) {
    return refused('has been used before')
  }
  return { status: 'valid', jkt }
}

function refused(problem: string): ProofOutcome {
  return { status: 'refused', error: 'invalid_dpop_proof', problem: `the DPoP proof ${problem}` }
}

/** RFC 9449 §4.3, items 3 and 7: the header has a key, and only its public part. */
function embeddedKey(proof: string): JWK | undefined {
  const jwk = decodeJwt(proof)?.header['jwk']
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return undefined
  return privateMembers.some((member) => member in jwk) ? undefined : { ...jwk }
}

/** RFC 9449 §4.3, item 9; RFC 3986 §6.2.2. */
function withoutQuery(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return undefined
  const url = new URL(uri)
  return url.origin + url.pathname
}

/** RFC 9449 §4.2: `ath`. */
function digest(accessToken: string): string {
  return hash('sha256', accessToken, 'base64url')
}
