/** What a fault is: one deliberate misbehaviour of the provider, as data. */
import type { Parameters } from '../parameters.ts'
import type { Reply } from '../reply.ts'

/** Where a fault acts. `authorize` is the authorization response. */
export type FaultEndpoint = 'authorize' | 'token' | 'resource' | 'discovery'

/** What a fault may look at. */
export interface Situation {
  readonly issuer: string
  /** The value that the fault was switched on with. */
  readonly value: string | undefined
  readonly headers: Headers
  /** The form parameters of the request. */
  readonly form: Parameters
  /** A fresh unguessable value. */
  readonly opaque: (prefix: string) => string
}

/** The parameters of an authorization response; undefined ones are left out. */
export type ResponseParameters = Readonly<Record<string, string | undefined>>

/** What an authorization code is bound to when it is issued. */
export interface CodeBinding {
  readonly value: string
  readonly clientId: string
  readonly subject: string
  readonly codeChallenge: string | undefined
  /** Milliseconds by the provider's clock. */
  readonly expiresAt: number
}

/** A row of the fault table: where it acts, what goes wrong, and how. */
export interface Fault {
  readonly endpoint: FaultEndpoint
  readonly description: string
  /** What the fault violates or exercises. */
  readonly section?: string
  /** Acts on this grant type only. */
  readonly grant?: 'refresh_token'

  /** Holds the request back until it is released, then goes on as usual. */
  readonly hold?: true
  /** Closes the connection instead of answering. Nothing is processed. */
  readonly disconnect?: true
  /** Answers instead of the endpoint. Nothing is processed: a code stays unused. */
  readonly answer?: (situation: Situation) => Reply
  /** Alters the answer to a request that succeeded. */
  readonly alter?: (reply: Reply, situation: Situation) => Reply

  /** Turns the decision into an error response with this code. */
  readonly refuse?: string
  /** Alters the parameters of the authorization response. */
  readonly respond?: (parameters: ResponseParameters, situation: Situation) => ResponseParameters
  /** Alters what the code is bound to. */
  readonly bind?: (code: CodeBinding, situation: Situation) => CodeBinding

  /** Keeps the refresh token that was presented valid and issues no other. */
  readonly keepRefreshToken?: true
}

export type FaultTable = Readonly<Record<string, Fault>>
