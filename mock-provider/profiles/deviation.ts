/** What a provider profile is: the documented ways in which a real provider differs from the RFCs, as data. */
import type { Authorization } from '../authorization.ts'
import type { EndpointName } from '../events.ts'
import type { Exchange } from '../exchange.ts'
import type { OAuthError } from '../oauth-error.ts'
import type { MockProviderOptions } from '../options.ts'
import type { Parameters } from '../parameters.ts'
import type { Reply } from '../reply.ts'
import type { ProviderState } from '../state.ts'

/** Options that a deviation may set; what the caller sets wins. */
export type DeviationOptions = Pick<MockProviderOptions, 'pkce' | 'lifetimes' | 'scopes'>

/** One documented deviation that breaks client code. */
export interface Deviation {
  readonly description: string
  /** Where it is documented. */
  readonly source: string
  /** Whether the source was read and says so. */
  readonly verified: boolean
  /** Where it acts. */
  readonly at?: EndpointName
  /** What it relaxes or changes for the whole provider. */
  readonly options?: DeviationOptions
  /** Understands a request that is not in the form of the RFC: what to read instead. */
  readonly understand?: (exchange: Exchange) => Understood | undefined
  /** Refuses an authorization request that the RFC allows, pushed or not. */
  readonly refuseRequest?: (parameters: Parameters) => OAuthError | undefined
  /** Refuses any other request that the RFC allows. */
  readonly refuse?: (exchange: Exchange) => OAuthError | Reply | undefined
  /** Answers differently, errors included. The same reply means that it had nothing to change. */
  readonly answer?: (reply: Reply, exchange: Exchange, state: ProviderState) => Reply
  /** Whether a code is redeemed for a refresh token, too. */
  readonly refreshToken?: (
    authorization: Authorization,
    state: ProviderState,
  ) => boolean | Promise<boolean>
}

/** The parts of a request that are read in place of what was sent. */
export type Understood = Partial<Pick<Exchange, 'query' | 'form' | 'body' | 'headers'>>

export interface Profile {
  /** The provider's own name. */
  readonly title: string
  /** Every deviation by its id, which reads `provider-what`. */
  readonly deviations: Readonly<Record<string, Deviation>>
}
