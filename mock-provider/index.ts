/** A strict mock OAuth provider that misbehaves on request. */
export { createMockProvider, type MockProvider } from './provider.ts'
export type { IssuerHandle } from './issuer.ts'
export { serveMockProvider, type RunningProvider, type ServeOptions } from './serve.ts'
export { createAuthority, type Authority, type ServerCertificate } from './authority.ts'
export type { FaultScope } from './fault-scope.ts'
export {
  faults,
  isFaultId,
  type FaultId,
  type FaultSpec,
  type ScopedFaultSpec,
} from './faults/index.ts'
export type { Fault, FaultEndpoint } from './faults/fault.ts'
export type { AuthorizationHandle } from './authorization.ts'
export type { CredentialPlace } from './bearer-token.ts'
export type { Client, ClientInput, GrantType, RedirectMatching } from './clients.ts'
export type { Clock, MovableClock } from './clock.ts'
export { ConnectionClosed } from './connection-closed.ts'
export type { Decision } from './decide.ts'
export type * from './events.ts'
export { clientSchema, scopedFaultSchema, userSchema } from './input-schemas.ts'
export { itemRoutes, type Item } from './items.ts'
export type { MintedSecret, SecretKind } from './ledger.ts'
export { limits, type Limits } from './limits.ts'
export type { ControlOptions, Lifetimes, MockProviderOptions, TenantOptions } from './options.ts'
export type { PkcePolicy, VerifierOutcome } from './pkce.ts'
export type { ClientAuthentication } from './presented-client.ts'
export type { Deviation, Profile } from './profiles/deviation.ts'
export { isProfileName, profiles, type ProfileName } from './profiles/index.ts'
export type { RandomBytes } from './random.ts'
export { json, text, empty, type Reply } from './reply.ts'
export type { RotationOptions } from './signing-keys.ts'
export { createMemoryStorage, type MemoryStorageOptions } from './storage/memory.ts'
export { openStorage } from './storage/open-storage.ts'
export type { MaybePromise } from './maybe-promise.ts'
export type { Change, Storage } from './storage/storage.ts'
export type { ResourceRequest, ResourceRoute } from './resource-route.ts'
export type { User } from './users.ts'
