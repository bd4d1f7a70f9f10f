/**
 * The seam between a protocol and what every OAuth client is asked: how a user is handed over and comes back, for
 * driving ({@link ClientFixtures}) and for judging ({@link HandedCall}). A protocol binds both by a {@link Handoff}.
 */

import type { Imposture, Jumps } from '../../harness/parties/index.ts'
import type { Check, Timing, Transcript } from '../../harness/engine/index.ts'
import type { ClientDeclared } from './declarations.ts'
import type { Ended, HandedCall } from './handed-call.ts'
import type { PendingCall } from './pending-call.ts'
import type { User } from './user.ts'

/** What the scenarios of an OAuth client act with. */
export interface ClientFixtures {
  /**
   * Lets a user ask for something that needs their authorization, and goes on without waiting; in the conversation
   * of an earlier call, where the protocol has such.
   */
  readonly begin: (as: User, beside?: PendingCall) => PendingCall
  readonly user: User
  /** Another user, with an account of their own at the provider. */
  readonly newUser: (name: string) => User
  /** Watches for what must not happen: the observation window of the run, unless told how long. */
  readonly observe: (ms?: number) => Promise<void>
  /** Watches likewise, but no longer than a call surely stays pending. */
  readonly observeWhilePending: () => Promise<void>
  /** Waits without holding up other scenarios. */
  readonly offSlot: <T>(waiting: Promise<T>) => Promise<T>
  /** Marks this moment for the checks. */
  readonly mark: (name: string, detail?: Record<string, unknown>) => void
  readonly timing: Timing
  /** A code that no provider issued; a token request with it is attributed to the call. */
  readonly forgedCode: (call: PendingCall) => string
  /** Attributes API requests with such a token, which no provider issued, to the call. */
  readonly baitToken: (call: PendingCall, token: string) => void
  /** A URL at another origin than the provider's and the client's; what arrives there is recorded. */
  readonly elsewhere: () => string
  /**
   * For what is about time: fixtures of an instance of its own whose clock can be moved, where that was asked for and
   * works.
   */
  readonly movable?: () => Promise<ClientFixtures | undefined>
  /** The clock of this instance, where it is one that can be moved. */
  readonly clock?: Jumps | undefined
  /** Fixtures of its own: another instance of the client with another provider. */
  readonly ownInstance: () => Promise<ClientFixtures>
  /** Whether the client has asked its provider for something at such a path since it was first called. */
  readonly hasAsked: (isThere: (path: string) => boolean) => boolean
  /**
   * Somebody who has not the certificate of the provider, and answers in its place from when that is called. Only on an
   * instance of its own, which the harness has started.
   */
  readonly impostor: (imposture: Imposture) => Promise<() => void>
  /** Stops the client and starts it again with the same data. */
  readonly restart: () => Promise<void>
}

/** How a protocol hands users over, for the judging. */
export interface Handoff {
  /** The scenario of which the disturbed ones are twins. */
  readonly control: string
  /** The same with a second call of the user, who has authorized. */
  readonly storedControl: string
  readonly words: {
    /** What hands the user over: "an oauth message". */
    readonly asked: string
    /** What ends a call: "a tool_result". */
    readonly ended: string
  }
  /** The call of that name; the first one by default. */
  readonly callOf: (t: Transcript, name?: string) => HandedCall
  /** Every call of the transcript, in the order in which they began. */
  readonly callsOf: (t: Transcript) => readonly HandedCall[]
  /** Whether a call that failed may be answered by asking its user anew, since calls are repeated anyway. */
  readonly mayAskAnew: boolean
  /** Whether a call whose stored token the API refuses may end with that, if the next one asks its user. */
  readonly mayReportRefusal?: boolean
  /** Whether its document names a number as no token; elsewhere clients may read one as its text. */
  readonly numbersAreNoTokens?: boolean
  /** Whether an end reads like that of an undisturbed call, where results have a form that tells. */
  readonly readsAsServed?: (end: Ended, undisturbed: Ended) => boolean
  /**
   * Whose data a call was given, by the names of the accounts, where ends are the words of a model and do not say; or
   * nothing, where it did not get as far as asking for any.
   */
  readonly dataGiven?: (t: Transcript, call: string) => readonly string[] | undefined
  /** Judges that a call hands its user over, and does not end instead. */
  readonly asksUser: (call: string) => Check<ClientDeclared>['judge']
  /** What the protocol asks beside, wherever a call should end once. */
  readonly endsOnce: (title: string, call?: string) => readonly Check<ClientDeclared>[]
}
