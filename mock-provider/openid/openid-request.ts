/** What an authentication request says beyond OAuth (OpenID Connect Core §3.1.2.1). */
import type { User } from '../authorization/user.ts'
import type { ClaimsRequest } from './claims.ts'

export interface OpenIdRequest {
  readonly prompt: readonly string[]
  /** Seconds since the user signed in, at most. */
  readonly maxAge?: number | undefined
  readonly loginHint?: string | undefined
  /** The only one who may answer: the subject of `id_token_hint`, or of a claim `sub`. */
  readonly subject?: string | undefined
  /** The authentication context that is preferred. */
  readonly acr?: string | undefined
  readonly claims?: ClaimsRequest | undefined
}

/** Who is expected to answer, if anybody in particular: by the hints of the request. */
export function expectedSubject(
  request: OpenIdRequest | undefined,
  users: readonly User[],
): string | undefined {
  const { subject, loginHint } = request ?? {}
  const named = (user: User) => [user.subject, user.email].includes(loginHint)
  return subject ?? (loginHint === undefined ? undefined : users.find(named)?.subject)
}
