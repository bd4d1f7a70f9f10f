/** What the provider logs: one event type for each thing that can be observed. Values are raw; redact before storing. */
import type { VerifierOutcome } from '../authorization/pkce.ts'
import type { ClientAuthentication } from '../clients/presented-client.ts'
import type { FaultId } from '../faults/index.ts'

/** The endpoint that an event is about. */
export type EndpointName =
  | 'start'
  | 'discovery'
  | 'jwks'
  | 'authorize'
  | 'interaction'
  | 'decision'
  | 'par'
  | 'token'
  | 'revoke'
  | 'introspect'
  | 'device-authorization'
  | 'device'
  | 'userinfo'
  | 'end-session'
  | 'register'
  | 'resource'
  | 'mcp'
  | 'resource-metadata'
  | 'control'
  | 'unknown'

/** What every event has. */
export interface EventEnvelope {
  /** Counts the provider's events from 1, without gaps. */
  readonly seq: number
  /** Real time in milliseconds since the epoch, monotonic; the provider's movable clock does not affect it. */
  readonly at: number
  /** Joins the events of one request. */
  readonly exchange: number
  readonly endpoint: EndpointName
  /** The id of the authorization that the request belongs to, where it can be told. */
  readonly authorization?: string | undefined
}

/** A request arrived; logged before anything is decided or held back. */
export interface RequestDetail {
  readonly type: 'request'
  readonly method: string
  /** Path and query as on the wire. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response as it left the provider, faults applied. */
export interface ResponseDetail {
  readonly type: 'response'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Faults that fired in this exchange, in order. */
  readonly faults: readonly FaultId[]
  /** What was more lenient than an RFC, or deviated from it as a preset says; absent if nothing. */
  readonly leniencies?: readonly string[] | undefined
}

/** The exchange ended without a response. */
export interface ConnectionDetail {
  readonly type: 'connection'
  /** `provider`: closed by a fault. `peer`: given up by the client while held back. */
  readonly closedBy: 'provider' | 'peer'
  readonly faults: readonly FaultId[]
}

/** An authorization request as the provider resolved it, whatever way it travelled. */
export interface AuthorizationRequestDetail {
  readonly type: 'authorization-request'
  readonly via: 'query' | 'form' | 'par'
  readonly clientId?: string | undefined
  readonly redirectUri?: string | undefined
  readonly responseType?: string | undefined
  readonly state?: string | undefined
  readonly scopes: readonly string[]
  readonly codeChallenge?: string | undefined
  readonly codeChallengeMethod?: string | undefined
  readonly resource: readonly string[]
  readonly nonce?: string | undefined
  /** Every other parameter. */
  readonly extra: Readonly<Record<string, string>>
  readonly valid: boolean
  readonly error?: string | undefined
  /** Why it was refused, in words; nothing that the request contained. */
  readonly problem?: string | undefined
}

/** How an authorization was decided, by its user or by a test. */
export interface DecisionDetail {
  readonly type: 'decision'
  readonly action: 'approve' | 'deny' | 'error'
  readonly subject?: string | undefined
  /** Faults that are switched for this authorization from here on. */
  readonly faults: readonly FaultId[]
  /** Where the user agent was sent. */
  readonly location: string
}

/** A request at the token endpoint, and what came of it. */
export interface GrantDetail {
  readonly type: 'grant'
  readonly grantType?: string | undefined
  /** The client that the request named, authenticated or not. */
  readonly clientId?: string | undefined
  readonly clientAuthentication: ClientAuthentication
  /** The secret id of the code or refresh token; undefined when the provider did not mint it. */
  readonly presented?: string | undefined
  /** What the request says that the token is for (RFC 8707 §2.2). */
  readonly resource: readonly string[]
  readonly verifier: VerifierOutcome
  /** The thumbprint of the key that tokens were bound to (RFC 9449). */
  readonly jkt?: string | undefined
  readonly outcome: 'issued' | 'refused'
  readonly error?: string | undefined
  /** Why it was refused, in words. */
  readonly problem?: string | undefined
  /** Ids of the secrets that were issued. */
  readonly issued: readonly string[]
}

/** A request at the protected API, and whether it was served. */
export interface ResourceAccessDetail {
  readonly type: 'resource-access'
  /** The secret id of the token; undefined when the provider did not mint it. */
  readonly token?: string | undefined
  readonly subject?: string | undefined
  readonly credential: 'header' | 'query' | 'body' | 'none'
  /** Method and path, as `GET /resource/items`. */
  readonly route: string
  readonly outcome: 'served' | 'refused'
  readonly error?: string | undefined
}

/** A request at the revocation endpoint (RFC 7009). */
export interface RevocationDetail {
  readonly type: 'revocation'
  readonly clientId?: string | undefined
  readonly token?: string | undefined
  readonly outcome: 'revoked' | 'ignored' | 'refused'
  readonly error?: string | undefined
}

/** A request at the introspection endpoint (RFC 7662). */
export interface IntrospectionDetail {
  readonly type: 'introspection'
  readonly clientId?: string | undefined
  readonly token?: string | undefined
  readonly outcome: 'active' | 'inactive' | 'refused'
  readonly error?: string | undefined
}

/** A request at the registration endpoint (RFC 7591, RFC 7592). */
export interface RegistrationDetail {
  readonly type: 'registration'
  readonly clientId?: string | undefined
  readonly redirectUris: readonly string[]
  readonly outcome: 'registered' | 'read' | 'refused'
  readonly error?: string | undefined
}

/** Something was changed through the control API. */
export interface ControlDetail {
  readonly type: 'control'
  /** The id of the operation. */
  readonly operation: string
  /** What it was given, credentials masked. */
  readonly detail: unknown
}

/** Details about what a request attempted and what came of it. */
export type AttemptDetail =
  GrantDetail | ResourceAccessDetail | RevocationDetail | IntrospectionDetail | RegistrationDetail

/** What an event is about; `type` tells which. */
export type EventDetail =
  | RequestDetail
  | ResponseDetail
  | ConnectionDetail
  | AuthorizationRequestDetail
  | DecisionDetail
  | ControlDetail
  | AttemptDetail

/** An entry of the provider's log. */
export type ProviderEvent = EventEnvelope & EventDetail
