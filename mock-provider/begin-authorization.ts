/** Begins an authorization from a valid request. */
import type { Authorization } from './authorization.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { createFaultSwitch } from './fault-switch.ts'
import type { ProviderState } from './state.ts'

/** Creates an authorization that awaits its decision. */
export function beginAuthorization(
  request: AuthorizationRequest,
  { authorizations, opaque }: ProviderState,
): Authorization {
  const authorization: Authorization = {
    id: opaque('authz_'),
    request,
    faults: createFaultSwitch('authorization'),
    decided: false,
    subject: undefined,
    scopes: request.scopes,
    accessTokenLifetimes: [],
    accessTokensIssued: 0,
    age: 0,
    revoked: false,
  }
  authorizations.set(authorization.id, authorization)
  return authorization
}
