/** Drives and judges the selected scenarios of a profile; always ends, and always with what there is. */

import { setTimeout as delay } from 'node:timers/promises'
import {
  ConfigurationError,
  openSession,
  Unreachable,
  type Finding,
  type HarnessFailure,
  type Session,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { Subject } from '../configuration/configure.ts'
import { findingsWithoutDrive } from './not-driven.ts'
import type { Selection } from './selection.ts'
import { detailOf, messageOf } from '../input/unknown.ts'

/** Milliseconds that scenarios get to end after an interruption. */
const abortGrace = 5000

export interface DriveOptions {
  readonly id: string
  readonly nonce: string | undefined
  readonly directory: string
  readonly selection: Selection
  readonly signal: AbortSignal
  /** Leaves everything running; {@link Driven.close} ends it. */
  readonly keep: boolean
  readonly onPeer: (kind: string, address: string) => void
  readonly onOpen: (session: Session) => void
  readonly onDriven: (scenario: string) => void
  readonly onJudged: (scenario: string, findings: readonly Finding[]) => void
}

export interface Driven {
  readonly findings: readonly Finding[]
  readonly failures: readonly HarnessFailure[]
  readonly facts: Readonly<Record<string, unknown>>
  readonly transcripts: ReadonlyMap<string, Transcript>
  readonly redact: (text: string) => string
  /** Why the implementation could not be driven at all. */
  readonly unreachable: string | undefined
  /** Ends what was kept running. */
  readonly close: () => Promise<void>
}

/** Opens a session, judges every selected scenario as soon as it is driven, and closes the session unless it is kept. */
export async function drive(subject: Subject, options: DriveOptions): Promise<Driven> {
  const { selection, signal } = options
  const opened = await open(subject, options)
  if (!('judge' in opened)) return undriven(subject, options, opened.unreachable)
  options.onOpen(opened)
  const broken: HarnessFailure[] = []
  const overdue = whenOverdue(signal)
  const judge = async (id: string): Promise<Finding[]> => {
    const reason = 'the run was interrupted'
    const all = await Promise.race([
      opened.judge(id).catch((error: unknown) => {
        if (error instanceof ConfigurationError) throw error
        broken.push({ scenario: id, message: detailOf(error) })
        return findingsWithoutDrive(
          subject.profile,
          subject.configuration,
          id,
          `the harness failed: ${messageOf(error)}`,
        )
      }),
      overdue.then(() => findingsWithoutDrive(subject.profile, subject.configuration, id, reason)),
    ])
    return all.filter(selection.reports)
  }
  try {
    const findings = (await Promise.all(selection.judged.map(judge))).flat()
    return {
      findings,
      get failures() {
        return [...opened.failures, ...broken]
      },
      facts: opened.facts,
      get transcripts() {
        return opened.transcripts()
      },
      redact: (text) => opened.run.ledger.redact(text).text,
      unreachable: undefined,
      close: () => opened.close(),
    }
  } finally {
    if (options.keep && !signal.aborted) opened.end()
    else await opened.close()
  }
}

async function open({ profile, configuration, base }: Subject, options: DriveOptions) {
  const { id, nonce, directory, selection, signal, onPeer, onDriven, onJudged } = options
  const opening = openSession(profile, {
    id,
    nonce,
    configuration,
    base,
    directory,
    signal,
    scenarios: selection.driven,
    onPeer,
    onDriven,
    onJudged: (scenario, findings) => onJudged(scenario, findings.filter(selection.reports)),
  })
  const overdue = whenOverdue(signal).then(() => {
    // Whatever still opens has to be closed again.
    opening.then((late) => late.close()).catch(() => undefined)
    return { unreachable: 'the run was interrupted' }
  })
  try {
    return await Promise.race([opening, overdue])
  } catch (error) {
    if (signal.aborted) return { unreachable: 'the run was interrupted' }
    if (error instanceof Unreachable) return { unreachable: error.message }
    throw error
  }
}

function undriven(
  { profile, configuration }: Subject,
  { selection }: DriveOptions,
  reason: string,
): Driven {
  const findings = selection.judged
    .flatMap((id) => findingsWithoutDrive(profile, configuration, id, reason))
    .filter(selection.reports)
  return {
    findings,
    failures: [],
    facts: {},
    transcripts: new Map(),
    redact: (text) => text,
    unreachable: reason,
    close: () => Promise.resolve(),
  }
}

/** Resolves a while after the abort; never before it. */
async function whenOverdue(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await delay(abortGrace, undefined, { ref: false })
}
