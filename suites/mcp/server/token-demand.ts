/** The seam between a profile and what is asked of every endpoint that knows its users by access tokens. */

import {
  isAfter,
  type RecordedEvent,
  type Scenario,
  type Timing,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { served, tokenAccesses } from '../../oauth-client/view.ts'
import type { Ended, HandedCall } from '../../oauth-client/handed-call.ts'
import type { PendingCall } from '../../oauth-client/pending-call.ts'
import type { User } from '../../oauth-client/user.ts'
import type { Frame } from '../wire/frames.ts'
import type { Session } from '../wire/link.ts'
import type { Connection, ConnectOptions } from './connections.ts'
import type { Demanding, TokenFormat } from './needs-authorization.ts'

/** A call of the tool, as it is driven. */
export interface ConnectedCall extends PendingCall {
  readonly connection: Connection
}

/** What the scenarios act with. */
export interface TokenFixtures<C extends ConnectedCall = ConnectedCall> {
  /** Lets a user call the tool, and goes on without waiting. */
  readonly begin: (as: User, options?: ConnectOptions) => C
  /** Tries to open a connection: whether the server let it. */
  readonly connect: (as: User, options?: ConnectOptions) => Promise<boolean>
  /** What the handshake of a connection agreed on, if there was one. */
  readonly sessionOf: (connection: Connection) => Session | undefined
  readonly user: User
  readonly newUser: (name: string) => User
  readonly observe: () => Promise<void>
  readonly offSlot: <T>(waiting: Promise<T>) => Promise<T>
  readonly timing: Timing
  /** Whether there is anything to authorize where its user is sent; default: there is. */
  readonly oauthClient?: boolean
}

/** A call of the tool, as it is judged. */
export interface TokenCall extends HandedCall {
  /** The connection that it was made on. */
  readonly connection: string
  /** Whatever the server asked for meanwhile. */
  readonly askings: readonly { readonly frame: Frame }[]
}

/** What is declared of it. */
export type TokenDeclared = Demanding & TokenFormat

/** Ids of the rows by which a profile asks it. */
export interface TokenRows {
  /** Without a token the answer is 401. */
  readonly demanded: string
  /** Tokens are accepted only that are valid, and for the endpoint. */
  readonly valid: string
  /** A session is not what its user is known by. */
  readonly notBySession: string
}

/** How a profile asks it. */
export interface TokenDemand<C extends ConnectedCall, D extends TokenDeclared> {
  readonly rows: TokenRows
  /** The undisturbed scenario, in which the user is asked and served. */
  readonly control: string
  /** The call of that name; the first one by default. */
  readonly callOf: (t: Transcript, name?: string) => TokenCall
  /** Every call of the transcript, in the order in which they began. */
  readonly callsOf: (t: Transcript) => readonly TokenCall[]
  /** Waits until the user is asked, and leaves that unanswered. */
  readonly awaitAsking: (call: C) => Promise<unknown>
  /** Has its user, who was asked, decline: nothing that is pending is in the way of the next call. */
  readonly decline: (call: C, within: number) => Promise<void>
  /** Why there are no sessions, where the revision has none. */
  readonly needsSessions: (declared: D) => string | undefined
}

/** What judging needs to know of it. */
export type Judged = Pick<TokenDemand<ConnectedCall, TokenDeclared>, 'rows' | 'callOf' | 'callsOf'>

export type TokenScenario<C extends ConnectedCall, D> = Scenario<TokenFixtures<C>, D>

/** The first end of a call that was served with a token: a server may also ask for another call once it has one. */
export function servedEndOf(calls: readonly HandedCall[]): Ended | undefined {
  const access = calls.flatMap(tokenAccesses).find(served)
  return calls
    .flatMap(({ ended }) => ended)
    .find(({ event, error }) => !error && isAfter(event, access))
}

/** What shows that a server knows a user by their token: it served a call, or asked for something in the first one. */
export function knownBy(t: Transcript, { callOf, callsOf }: Judged): RecordedEvent | undefined {
  return (servedEndOf(callsOf(t)) ?? callOf(t).askings[0]?.frame)?.event
}
