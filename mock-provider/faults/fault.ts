/** What a fault is: one deliberate misbehaviour of the provider, as data. */
import type { Signer, SigningAlgorithm } from '../crypto/signer.ts'
import type { Parameters } from '../http/parameters.ts'
import type { Reply } from '../http/reply.ts'

/** Where a fault acts. `authorize` is the authorization response. */
export type FaultEndpoint = 'authorize' | 'token' | 'introspect' | 'resource' | AnonymousEndpoint

export type AnonymousEndpoint = (typeof anonymousEndpoints)[number]

/** Where nobody can tell for whom a request is made: it belongs to no authorization yet. */
export const anonymousEndpoints = ['discovery', 'jwks', 'register', 'par'] as const

/** Tells whether a fault can be switched for everybody, or for the next request, only. */
export function isAnonymous({ endpoint }: Pick<Fault, 'endpoint'>): boolean {
  return anonymousEndpoints.some((each) => each === endpoint)
}

/** What a fault may look at. */
export interface Situation {
  readonly issuer: string
  /** The path of the request. */
  readonly path: string
  /** The path of the protected resource that the request is for. */
  readonly resource: string
  /** The value that the fault was switched on with. */
  readonly value: string | undefined
  readonly headers: Headers
  /** The form parameters of the request. */
  readonly form: Parameters
  readonly body: string
  /** Milliseconds by the provider's clock. */
  readonly now: number
  /** What has signed by this algorithm already. */
  readonly signer: (algorithm: SigningAlgorithm) => Signer
  /** A fresh unguessable value. */
  readonly opaque: (prefix: string) => string
}

/** A value without what would end a header or a quoted part of it (RFC 9110 §5.5, §5.6.4). */
export function headerText(value: string | undefined): string | undefined {
  return value?.replaceAll(/[^\x20-\x7E]|["\\]/g, '')
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

/** What has become of a refresh token that was rotated. */
export interface Rotation {
  /** Milliseconds since then. */
  readonly age: number
  /** Whether its successor was used. */
  readonly successorUsed: boolean
  /** The value that the fault was switched on with. */
  readonly value: string | undefined
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
  /** Answers instead of the endpoint, unless undefined. Nothing is processed: a code stays unused. */
  readonly answer?: (situation: Situation) => Reply | undefined
  /** Alters the answer to a request that succeeded. */
  readonly alter?: (reply: Reply, situation: Situation) => Reply

  /** Turns the decision into an error response with this code. */
  readonly refuse?: string
  /** Alters the parameters of the authorization response. */
  readonly respond?: (parameters: ResponseParameters, situation: Situation) => ResponseParameters
  /** Alters what the code is bound to. */
  readonly bind?: (code: CodeBinding, situation: Situation) => CodeBinding

  /** Lets the secret that a client is given expire; seconds, unless the fault has a value. */
  readonly secretLifetime?: number

  /** Closes the connection in place of an answer to a request that succeeded. */
  readonly lose?: true

  /** Keeps the refresh token that was presented valid and issues no other. */
  readonly keepRefreshToken?: true
  /** Accepts a refresh token that was rotated already, in place of revoking all of its family. */
  readonly acceptRotated?: (rotation: Rotation) => boolean
}

export type FaultTable = Readonly<Record<string, Fault>>
