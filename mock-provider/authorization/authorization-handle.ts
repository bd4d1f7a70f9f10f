/** What the owner of a provider can do with one authorization. */
import type { FaultId, FaultSpec } from '../faults/index.ts'
import type { ProviderState } from '../provider/state.ts'
import { requireForward } from '../storage/clock.ts'
import { atOnce } from '../storage/storage.ts'
import { revokeAuthorization, type Authorization } from './authorization.ts'

/** What a caller of the provider may see of an authorization and do to it. */
export interface AuthorizationHandle {
  readonly id: string
  readonly clientId: string
  /** Known from the decision on. */
  readonly subject: string | undefined
  readonly scopes: readonly string[]
  readonly faults: readonly FaultId[]
  /** Switches exactly these faults on. @throws TypeError for an unknown or issuer-level fault */
  setFaults(specs: readonly FaultSpec[]): void
  /** Ages this authorization's code and tokens by `ms` milliseconds, and nothing else. */
  advance(ms: number): void
  /** Lets what is held back for this authorization go on. */
  release(): void
  /** Ends it, as a user does in an account's settings. */
  revoke(): void
}

/** The handle of an authorization in a storage that answers at once. */
export function handleOf(
  state: Pick<ProviderState, 'authorizations' | 'faults'>,
  authorization: Authorization,
): AuthorizationHandle {
  const { id, request } = authorization
  const current = () => atOnce(state.authorizations.get(id)) ?? authorization
  return {
    id,
    clientId: request.clientId,
    get subject() {
      return current().subject
    },
    get scopes() {
      return current().scopes
    },
    get faults() {
      return atOnce(state.faults.ids(`authorization:${id}`))
    },
    setFaults: (specs) => atOnce(state.faults.set(`authorization:${id}`, specs)),
    advance(ms) {
      requireForward(ms)
      atOnce(state.authorizations.update(id, (each) => ({ ...each, age: each.age + ms })))
    },
    release: () => state.faults.release(`authorization:${id}`),
    revoke: () => void atOnce(revokeAuthorization(state, id)),
  }
}
