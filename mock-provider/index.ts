/** A strict mock OAuth provider that misbehaves on request. */
export { createMockProvider, type MockProvider } from './provider/provider.ts'
export type { IssuerHandle } from './provider/issuer.ts'
export { serveMockProvider, type RunningProvider, type ServeOptions } from './provider/serve.ts'
export {
  createAuthority,
  type Authority,
  type IssueOptions,
  type ServerCertificate,
} from './crypto/authority.ts'
export type { FaultScope } from './faults/fault-scope.ts'
export {
  faults,
  isFaultId,
  type FaultId,
  type FaultSpec,
  type ScopedFaultSpec,
} from './faults/index.ts'
export type { Fault, FaultEndpoint } from './faults/fault.ts'
export type { AuthorizationHandle } from './authorization/authorization-handle.ts'
export type { CredentialPlace } from './resource/bearer-token.ts'
export type { Client, ClientInput, GrantType } from './clients/client.ts'
export type { RedirectMatching } from './clients/redirect-uris.ts'
export type { Clock, MovableClock } from './storage/clock.ts'
export { answerHalfClosed } from './http/half-closed.ts'
export { ConnectionClosed } from './http/connection-closed.ts'
export type { Decision } from './authorization/decide.ts'
export type * from './log/events.ts'
export { clientSchema, scopedFaultSchema, userSchema } from './provider/input-schemas.ts'
export type { Audience, AudienceInput } from './resource/audiences.ts'
export { itemRoutes, type Item } from './resource/items.ts'
export type { MintedSecret, SecretKind } from './log/ledger.ts'
export { limits, type Limits } from './storage/limits.ts'
export type { ControlOptions } from './control/guard.ts'
export type { DirectTokenRequest, IssuedTokenSet } from './tokens/issue-directly.ts'
export type { ClaimRule, TokenDraft, TokenHook } from './tokens/token-draft.ts'
export type { Lifetimes } from './tokens/lifetimes.ts'
export type { MockProviderOptions } from './provider/provider.ts'
export type { TenantOptions } from './provider/tenants.ts'
export type { PkcePolicy, VerifierOutcome } from './authorization/pkce.ts'
export type { ClientAuthentication } from './clients/presented-client.ts'
export type { Deviation, DeviationSituation, Preset } from './presets/deviation.ts'
export { isPresetName, presets, type PresetName } from './presets/index.ts'
export type { RandomBytes } from './crypto/random.ts'
export { json, text, empty, type Reply } from './http/reply.ts'
export type { SigningAlgorithm } from './crypto/signer.ts'
export type { RotationOptions } from './crypto/signing-keys.ts'
export { createMemoryStorage, type MemoryStorageOptions } from './storage/memory.ts'
export { openStorage } from './storage/open-storage.ts'
export type { MaybePromise } from './storage/maybe-promise.ts'
export type { Change, Storage } from './storage/storage.ts'
export type { ResourceRequest, ResourceRoute } from './resource/resource-route.ts'
export type { Branding, Login } from './pages/branding.ts'
export type { User } from './authorization/user.ts'
