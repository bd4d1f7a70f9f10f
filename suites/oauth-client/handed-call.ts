/** A call in a recording: what checks read of it. */

import type {
  Answer,
  Evidence,
  ProviderRecord,
  Recorded,
  RecordedEvent,
  RequestEvent,
  StepEvent,
} from '../../harness/engine/index.ts'

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
  /** By which the call began: a request, or what was said to an adapter. */
  readonly request: Recorded<RequestEvent> | Recorded<StepEvent> | undefined
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

/** Proof that a situation came about, or why it did not. */
export type Reached = readonly Evidence[] | string
