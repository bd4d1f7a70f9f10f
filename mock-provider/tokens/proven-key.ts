/** The key that a direct request to the authorization server proves to have (RFC 9449 §5, §10.1). */
import type { Exchange } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { ProviderState } from '../provider/state.ts'
import { checkProof } from './dpop-proof.ts'

/**
 * Returns the thumbprint of the key; nothing for a request without a proof.
 * @throws OAuthError `invalid_dpop_proof` or `use_dpop_nonce`
 */
export async function provenKey(
  state: ProviderState,
  exchange: Exchange,
): Promise<string | undefined> {
  const proof = await checkProof(state, exchange)
  if (proof.status === 'absent') return undefined
  if (proof.status === 'valid') return proof.jkt
  const nonce = { 'dpop-nonce': state.nonces.current() }
  const headers = proof.error === 'use_dpop_nonce' ? nonce : {}
  throw new OAuthError(proof.error, proof.problem, { headers })
}
