/** ID tokens (OpenID Connect Core §2, §3.1.3.6, §3.3.2.11). */
import type { Authorization } from '../authorization/authorization.ts'
import { findUser } from '../authorization/users.ts'
import type { Client } from '../clients/client.ts'
import { halfHash } from '../crypto/signer.ts'
import type { MintedSecret } from '../log/ledger.ts'
import { releasedClaims, type Claims } from '../openid/claims.ts'
import type { ProviderState } from '../provider/state.ts'
import { timesOf } from './lifetimes.ts'
import { ownClaims } from './own-claims.ts'

/** Whom an ID token is about, and what it goes with. */
export interface IdTokenRequest {
  readonly authorization: Authorization
  readonly client: Pick<Client, 'clientId' | 'idTokenSigningAlg'>
  readonly subject: string
  readonly seconds: number
  readonly nonce?: string | undefined
  readonly accessToken?: string | undefined
  readonly code?: string | undefined
  readonly scopes: readonly string[]
  /** Whether no access token goes with it, that could be used to ask for the claims of the scopes (§5.4). */
  readonly alone?: boolean | undefined
  /** Claims in place of those of the same names. */
  readonly claims?: Claims | undefined
}

export async function mintIdToken(
  state: ProviderState,
  request: IdTokenRequest,
): Promise<MintedSecret> {
  const { authorization, subject, nonce, accessToken, code, scopes } = request
  const { clientId, idTokenSigningAlg: algorithm } = request.client
  const { openid } = authorization.request
  const { authenticatedAt } = authorization
  const now = state.clock.now()
  const names = Object.keys(openid?.claims?.idToken ?? {})
  const told = request.alone ? scopes : []
  const claims = {
    ...releasedClaims(await findUser(state, subject), told, names),
    iss: state.settings.issuer,
    sub: subject,
    aud: clientId,
    nonce,
    auth_time: authenticatedAt === undefined ? undefined : Math.floor(authenticatedAt / 1000),
    acr: openid?.acr,
    // RFC 8176 §2
    amr: ['pwd'],
    at_hash: accessToken === undefined ? undefined : halfHash(accessToken, algorithm),
    c_hash: code === undefined ? undefined : halfHash(code, algorithm),
    ...timesOf(now, request.seconds),
  }
  const own = await ownClaims(state, { kind: 'id_token', subject, clientId, scopes, claims })
  const signer = await state.signer.signer(algorithm)
  const value = signer.sign('JWT', {
    ...claims,
    // two tokens issued within a second are still two secrets
    jti: state.opaque(''),
    ...own,
    ...request.claims,
  })
  const minted = { kind: 'id_token', value, authorization: authorization.id, clientId } as const
  return state.ledger.record(minted)
}
