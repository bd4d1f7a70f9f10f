/** What a scenario and a check are: plain data around small functions. */

import type { Evidence, Judgement } from './judging/verdict.ts'
import type { RecordedEvent } from './recording/event.ts'
import type { Transcript } from './recording/transcript.ts'

/** What a check may know beside the transcript; all of it stands in the run record. */
export interface JudgingContext<Declared = unknown> {
  readonly declared: Declared
  readonly timing: Timing
  /** The transcript of the scenario's control, where it names one. */
  readonly control: Transcript | undefined
}

/** All durations in milliseconds. */
export interface Timing {
  /** What "immediately" means for an acknowledgement. */
  readonly ackMs: number
  /** How long one expected message or answer may take. */
  readonly stepMs: number
  /** How long is watched for what must not happen. */
  readonly observeMs: number
  /** The longest that the run waits for anything, declared timeouts included. */
  readonly maxWaitMs: number
  /** Added to a declared timeout before it counts as exceeded. */
  readonly graceMs: number
}

/**
 * Milliseconds to watch while something is pending that ends by itself after so many: a part, so that it surely is
 * still pending at the end.
 */
export function windowWhilePending(observeMs: number, pendingMs: unknown): number {
  return typeof pendingMs === 'number' ? Math.min(observeMs, pendingMs / 3) : observeMs
}

/** Judges one requirement by the transcript of one scenario: synchronous, and without effects. */
export interface Check<Declared = unknown> {
  readonly requirement: string
  readonly title: string
  readonly judge: (transcript: Transcript, context: JudgingContext<Declared>) => Judgement
}

/** The recordings of a whole run, by scenario; what belongs to no scenario stands under `runLog`. */
export type Recordings = ReadonlyMap<string, Transcript>

/**
 * What a scenario needs and a correct implementation need not offer, for example a second flow for the same user.
 * Where the drive ended by {@link NotOffered}, the judge looks for it in the whole run.
 */
export interface Need {
  /** Completes "not required, and never seen in this run: ...". */
  readonly what: string
  /** An event of the run that shows that it is offered after all. */
  readonly seen: (run: Recordings) => RecordedEvent | undefined
}

/** A situation: how it is driven, and the checks that judge what was recorded. */
export interface Scenario<Fixtures, Declared = unknown> {
  readonly id: string
  readonly title: string
  /** The undisturbed twin; if that did not work, nothing passes here. */
  readonly control?: string
  /** Says something also about an implementation that cannot be driven, so it does not wait for the gate. */
  readonly ungated?: true
  /** Runs on an instance of the implementation that it has for itself; it asks for that before it acts. */
  readonly ownInstance?: true
  /** `all` runs after every other scenario and judges the transcripts of the whole run. */
  readonly after?: 'all'
  /** What the vendor declared that makes this scenario pointless: the reason, or `undefined`. */
  readonly notApplicable?: (declared: Declared) => string | undefined
  /** What a correct implementation need not offer; without it this scenario binds nothing. */
  readonly needs?: Need
  readonly drive: (fixtures: Fixtures) => Promise<void>
  readonly checks: readonly Check<Declared>[]
}

/** Thrown by a verb when the implementation did not get the scenario as far as it needs to go. */
export class Unreached extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'Unreached'
  }
}

/** Something that has begun and is awaited later: what it throws until then is thrown there, and ends nothing before. */
export function awaitedLater<T>(begun: Promise<T>): Promise<T> {
  begun.catch(() => undefined)
  return begun
}

/** The implementation could not be started or never answered: the run is inconclusive, not failed. */
export class Unreachable extends Error {
  readonly code = 'unreachable'
  /** The last lines that the implementation printed, without secrets, where it was started and printed something. */
  printed: readonly string[] = []
  constructor(message: string) {
    super(message)
    this.name = 'Unreachable'
  }
}

/** The implementation cannot be driven at all, so that the scenario was left out. */
export class NotTried extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotTried'
  }
}

/** Thrown by a verb when the implementation did not offer what the scenario needs (see {@link Need}). */
export class NotOffered extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'NotOffered'
  }
}

/** For what need not be offered. @throws NotOffered in place of {@link Unreached}, and any other error as it is */
export function asNotOffered(error: unknown): never {
  throw error instanceof Unreached ? new NotOffered(error.message) : error
}

/** The requirement is met, and this is the proof. */
export function pass(message: string, evidence: readonly Evidence[] = []): Judgement {
  return { outcome: 'pass', message, evidence }
}

/** The proof is missing: what did not happen, in words. */
export function inconclusive(message: string, evidence: readonly Evidence[] = []): Judgement {
  return { outcome: 'inconclusive', message, evidence }
}

/** The vendor declared something that makes the requirement pointless: the reason, in words. */
export function notApplicable(message: string): Judgement {
  return { outcome: 'not-applicable', message, evidence: [] }
}

/** The recording shows that the requirement is about something that was not offered, nor need be: what, in words. */
export function notOffered(message: string, evidence: readonly Evidence[] = []): Judgement {
  return { outcome: 'not-offered', message, evidence }
}

/** The first violation among judgements, otherwise the first without proof; nothing where all of them pass. */
export function worstOf(judgements: readonly Judgement[]): Judgement | undefined {
  return (
    judgements.find(({ outcome }) => outcome === 'violation') ??
    judgements.find(({ outcome }) => outcome !== 'pass')
  )
}

/** A broken requirement: what it asks for, and what came instead. */
export function violation(
  message: string,
  { expected, actual }: { readonly expected: string; readonly actual: string },
  evidence: readonly Evidence[],
): Judgement {
  return { outcome: 'violation', message, expected, actual, evidence }
}
