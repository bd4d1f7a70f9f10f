/** What a provider preset is: the documented ways in which a real provider differs from the RFCs, as data. */
import type { Authorization } from '../authorization/authorization.ts'
import type { PkcePolicy } from '../authorization/pkce.ts'
import type { FaultEndpoint } from '../faults/fault.ts'
import type { OAuthError } from '../http/oauth-error.ts'
import type { Parameters } from '../http/parameters.ts'
import type { Reply } from '../http/reply.ts'
import type { EndpointName } from '../log/events.ts'
import type { Lifetimes } from '../tokens/lifetimes.ts'
import type { ClaimRule } from '../tokens/token-draft.ts'

/** Options that a deviation may set; what the caller sets wins. */
export interface DeviationOptions {
  readonly pkce?: PkcePolicy
  readonly lifetimes?: Partial<Lifetimes>
  readonly scopes?: readonly string[]
  /** The scope that userinfo needs; none, if it is empty. */
  readonly userinfoScope?: string
  /** Whether a token is revoked for whoever has it, without a client. */
  readonly revokesForAnybody?: boolean
  /** Whether code verifiers may be longer than 128 characters. */
  readonly longVerifiers?: boolean
  /** Claims that are added to tokens. */
  readonly tokenClaims?: readonly ClaimRule[]
}

/** What a deviation may look at. */
export interface DeviationSituation {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly query: Parameters
  /** The body as form parameters, whatever its content type. */
  readonly form: Parameters
  readonly body: string
  /** The body as it was sent, where a deviation reads it in another way. */
  readonly sent: string
  /** What the request belongs to, where that can be told. */
  readonly authorization: Authorization | undefined
  /** Milliseconds by the provider's clock. */
  readonly now: number
}

/** One documented deviation that breaks client code. */
export interface Deviation {
  readonly description: string
  /** Where it is documented. */
  readonly source: string
  /** Whether the source was read and says so. */
  readonly verified: boolean
  /** Where it acts. */
  readonly at?: EndpointName
  /** Paths at which the endpoint is served, too. */
  readonly paths?: readonly string[]
  /** Whose faults disturb it at these paths, where it is more than the endpoint: an API whose route it is. */
  readonly faults?: FaultEndpoint
  /** What it relaxes or changes for the whole provider. */
  readonly options?: DeviationOptions
  /** Understands a request that is not in the form of the RFC: what to read instead. */
  readonly understand?: (situation: DeviationSituation) => Understood | undefined
  /** Refuses an authorization request that the RFC allows, pushed or not. */
  readonly refuseRequest?: (parameters: Parameters) => OAuthError | undefined
  /** Refuses any other request that the RFC allows. */
  readonly refuse?: (situation: DeviationSituation) => OAuthError | Reply | undefined
  /** Answers differently, errors included. The same reply means that it had nothing to change. */
  readonly answer?: (reply: Reply, situation: DeviationSituation) => Reply
  /** Whether a code is redeemed for a refresh token, too; `earlier` lists what was authorized before. */
  readonly refreshToken?: (
    authorization: Authorization,
    earlier: () => Promise<readonly Authorization[]>,
  ) => boolean | Promise<boolean>
}

/** The parts of a request that are read in place of what was sent. */
export type Understood = Partial<
  Pick<DeviationSituation, 'query' | 'form' | 'body' | 'headers'> & { readonly search: string }
>

/** The deviations that are in force: a provider without a preset has none. */
export type Deviations = readonly (readonly [id: string, deviation: Deviation])[]

/** How one real provider deviates from what the RFCs say. */
export interface Preset {
  /** The provider's own name. */
  readonly title: string
  /** Every deviation by its id, which reads `provider-what`. */
  readonly deviations: Readonly<Record<string, Deviation>>
}
