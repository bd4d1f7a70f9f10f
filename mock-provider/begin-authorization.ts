/** Begins an authorization from a valid request. */
import type { Authorization } from './authorization.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import { retentionOf } from './options.ts'
import type { ProviderState } from './state.ts'

/** Creates an authorization that awaits its decision, or one that was decided by whoever the subject is. */
export function beginAuthorization(
  request: AuthorizationRequest,
  { authorizations, opaque, settings }: ProviderState,
  subject?: string,
): MaybePromise<Authorization> {
  const authorization: Authorization = {
    id: opaque('authz_'),
    request,
    decided: subject !== undefined,
    subject,
    scopes: request.scopes,
    accessTokenLifetimes: [],
    accessTokensIssued: 0,
    age: 0,
    revoked: false,
  }
  const kept = authorizations.set(authorization.id, authorization, retentionOf(settings))
  return chain(kept, () => authorization)
}
