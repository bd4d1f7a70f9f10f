/**
 * The seam between a protocol and what every OAuth client is asked: how a user is handed over and comes back, for
 * driving ({@link ClientFixtures}) and for judging ({@link HandedCall}). A protocol binds both by a {@link Handoff}.
 */

import type {
  Answer,
  Check,
  Evidence,
  ProviderRecord,
  Recorded,
  RecordedEvent,
  RequestEvent,
  Timing,
  Transcript,
} from '../../harness/engine/index.ts'
import type { User } from './user.ts'

/** A call for which the client may need its user. Waiting verbs throw `Unreached` where nothing comes. */
export interface PendingCall {
  readonly name: string
  /** Waits until the user is to be handed over, and gives the URL. */
  asked(): Promise<string>
  /** Waits for the end of the call, beside other scenarios; milliseconds, by default as long as the run waits. */
  ended(within?: number): Promise<unknown>
  /** Waits likewise, and goes on without: for what is to be tried whether or not the call has ended. */
  settle(within?: number): Promise<void>
  /** Waits until something stands in the recording. */
  waitUntil(what: string, find: (call: HandedCall, t: Transcript) => unknown): Promise<void>
  /** Waits for whichever comes first: the URL, or the end of the call. */
  answered(): Promise<'asked' | 'ended'>
}

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
  /** A URL at another origin than the provider's and the client's; what arrives there is recorded. */
  readonly elsewhere: () => string
  /** Fixtures of its own: another instance of the client with another provider. */
  readonly ownInstance: () => Promise<ClientFixtures>
  /** Whether the client has asked its provider for something at such a path since it was first called. */
  readonly hasAsked: (isThere: (path: string) => boolean) => boolean
  /** Stops the client and starts it again with the same data. */
  readonly restart: () => Promise<void>
}

/** What the vendor declares that checks of an OAuth client depend on. */
export interface ClientDeclared {
  /** After how long an abandoned authorization ends the call, where that is declared. */
  readonly pendingTimeoutMs: number | undefined
  readonly refreshTokens: boolean
  /** The scopes that the operation needs, no more. */
  readonly scopes: readonly string[] | undefined
  /** How the implementation runs: only one that we start can be restarted, or given a provider of its own. */
  readonly driven: 'command' | 'module' | 'url'
  readonly redirectMatching: 'exact' | 'ignore-query'
}

/** The user was to be handed over: where it was said, and the URL as it came. */
export interface Asked {
  readonly event: Recorded<RecordedEvent>
  readonly url: unknown
}

/** The call ended: in which words, and whether as an error. */
export interface Ended {
  readonly event: Recorded<RecordedEvent>
  readonly text: string
  readonly error: boolean
}

/** One call in a recording, and everything that belongs to it; all that shared checks read. */
export interface HandedCall {
  readonly name: string
  /** Who the client knows to be calling, where the protocol tells. */
  readonly user: string | undefined
  /** Values that whoever began the call has sent, and so knows, by name: ids, URLs. */
  readonly sentValues: Readonly<Record<string, string | null | undefined>>
  /** The arguments of the operation. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** By which the call began. */
  readonly request: Recorded<RequestEvent> | undefined
  /** How that request was answered at once. */
  readonly ack: Answer
  readonly asked: readonly Asked[]
  readonly ended: readonly Ended[]
  /** At the provider, for flows that this call's URL began. */
  readonly authorizationRequests: readonly Recorded<ProviderRecord>[]
  readonly grants: readonly Recorded<ProviderRecord>[]
  readonly accesses: readonly Recorded<ProviderRecord>[]
  /** Every request to the provider, logged on arrival, also one that is held back. */
  readonly upstream: readonly Recorded<RequestEvent>[]
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
  /** Judges that a call hands its user over, and does not end instead. */
  readonly asksUser: (call: string) => Check<ClientDeclared>['judge']
  /** What the protocol asks beside, wherever a call should end once. */
  readonly endsOnce: (title: string, call?: string) => readonly Check<ClientDeclared>[]
}

/** Proof that a situation came about, or why it did not. */
export type Reached = readonly Evidence[] | string
