/** What a scenario and a check are: plain data around small functions. */

import type { Evidence, Judgement } from './verdict.ts'
import type { Transcript } from './transcript.ts'

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

export interface Check<Declared = unknown> {
  readonly requirement: string
  readonly title: string
  readonly judge: (transcript: Transcript, context: JudgingContext<Declared>) => Judgement
}

export interface Scenario<World, Declared = unknown> {
  readonly id: string
  readonly title: string
  /** The undisturbed twin; if that did not work, nothing passes here. */
  readonly control?: string
  /** Says something also about an implementation that cannot be driven, so it does not wait for the gate. */
  readonly ungated?: true
  /** Runs on an instance of the implementation that it has for itself. */
  readonly ownInstance?: true
  /** `all` runs after every other scenario and judges the transcripts of the whole run. */
  readonly after?: 'all'
  /** What the vendor declared that makes this scenario pointless: the reason, or `undefined`. */
  readonly notApplicable?: (declared: Declared) => string | undefined
  readonly drive: (world: World) => Promise<void>
  readonly checks: readonly Check<Declared>[]
}

/** Thrown by a verb when the implementation did not get the scenario as far as it needs to go. */
export class Unreached extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'Unreached'
  }
}

/** Thrown by a verb when the scenario cannot apply to this implementation, with the reason. */
export class NotApplicable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotApplicable'
  }
}

export function pass(message: string, evidence: readonly Evidence[] = []): Judgement {
  return { outcome: 'pass', message, evidence }
}

export function inconclusive(message: string, evidence: readonly Evidence[] = []): Judgement {
  return { outcome: 'inconclusive', message, evidence }
}

export function notApplicable(message: string): Judgement {
  return { outcome: 'not-applicable', message, evidence: [] }
}

/** A broken requirement: what it asks for, and what came instead. */
export function violation(
  message: string,
  { expected, actual }: { readonly expected: string; readonly actual: string },
  evidence: readonly Evidence[],
): Judgement {
  return { outcome: 'violation', message, expected, actual, evidence }
}
