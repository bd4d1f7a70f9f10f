/** Begins an authorization from a valid request. */
import type { ProviderState } from '../provider/state.ts'
import { retentionOf } from '../tokens/lifetimes.ts'
import type { Authorization, AuthorizationRequest } from './authorization.ts'

/** Creates an authorization that awaits its decision, or one that was decided already. */
export async function beginAuthorization(
  request: AuthorizationRequest,
  { authorizations, opaque, settings }: ProviderState,
  decided?: Partial<Authorization>,
): Promise<Authorization> {
  const authorization: Authorization = {
    id: opaque('authz_'),
    request,
    decided: decided !== undefined,
    subject: undefined,
    scopes: request.scopes,
    accessTokenLifetimes: [],
    accessTokensIssued: 0,
    age: 0,
    revoked: false,
    ...decided,
  }
  await authorizations.set(authorization.id, authorization, retentionOf(settings))
  return authorization
}
