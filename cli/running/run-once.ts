/** One run: drives, judges, stores and prints it. */

import { homedir } from 'node:os'
import { ConfigurationError, printable, runLog } from '../../harness/engine/index.ts'
import { outlivers, TemplateError } from '../../harness/parties/index.ts'
import { buildRunRecord, keptFact, leftRunningFact, type RunRecord } from '../../reports/index.ts'
import type { Gate } from '../outcome/baseline-gate.ts'
import type { Subject } from '../configuration/configure.ts'
import { decideExit } from '../outcome/decide-exit.ts'
import { drive, type Driven } from './drive.ts'
import { watchForInterruption, type Interruption } from './interruption.ts'
import { lastOutput } from '../print/last-output.ts'
import { claimOutputFolder } from '../outcome/output-folder.ts'
import { packageInfo } from '../package-info.ts'
import { printResult } from '../print/print-result.ts'
import { printPeer, printReached, printStart } from '../print/print-start.ts'
import { showProgress } from '../print/progress.ts'
import { startClock, type Span } from './run-clock.ts'
import type { Selection } from './selection.ts'
import { alteredRecordings, storedTranscripts, storeRun } from '../outcome/store-run.ts'
import type { Terminal } from '../print/terminal.ts'
import { codeOf, recordOf, whyNotListening } from '../input/unknown.ts'
import { pathTo, unknownPlaceholder } from '../configuration/unknown-placeholder.ts'
import { UsageError } from '../input/usage-error.ts'

export interface RunOnce {
  readonly id: string
  /** What a relying party gave, so that the run cannot be older. */
  readonly nonce?: string | undefined
  readonly subject: Subject
  readonly selection: Selection
  readonly partial: RunRecord['partial']
  readonly gate: Gate
  /** Which of several repetitions it is. */
  readonly repetition: RunRecord['repetition']
  readonly output: string
  readonly terminal: Terminal
  readonly quiet: boolean
  /** Leaves the implementation running at the end, until the run is interrupted. */
  readonly keep?: boolean
}

/** Certifies once, writes the results and returns the run record. @throws {@link UsageError} */
export async function runOnce({
  id,
  nonce,
  subject,
  selection,
  partial,
  gate,
  repetition,
  output,
  terminal,
  quiet,
  keep = false,
}: RunOnce): Promise<RunRecord> {
  const folder = claimOutputFolder(output)
  const progress = showProgress(terminal, selection.driven, quiet)
  const interruption = watchForInterruption(progress.note)
  const clock = startClock()
  let close = (): Promise<void> => Promise.resolve()
  if (!quiet) {
    progress.erase()
    printStart(terminal, subject, selection)
  }
  try {
    const driven = await drive(subject, {
      id,
      nonce,
      directory: folder.path,
      selection,
      signal: interruption.signal,
      keep,
      onPeer(kind, address) {
        if (quiet) return
        progress.erase()
        printPeer(terminal, subject, { kind, address })
      },
      onOpen({ facts }) {
        if (quiet) return
        progress.erase()
        printReached(terminal, facts)
      },
      onDriven: progress.driven,
      onJudged: progress.judged,
    })
    progress.stop()
    close = driven.close
    const record = finish({
      id,
      nonce,
      subject,
      selection,
      driven,
      interruption,
      span: clock(),
      partial,
      gate,
      repetition,
      folder: folder.path,
      keep,
    })
    storeRun(folder.path, record, driven.transcripts)
    // What it printed may say why it did not get further.
    if (isUnexplained(record) && !interruption.received()) printLastOutput(terminal, folder.path)
    printResult(terminal, record, driven.transcripts, { folder: folder.path, quiet })
    const kept = record.facts[keptFact]
    if (typeof kept === 'string') await stayUntilInterrupted(terminal, kept, interruption)
    return record
  } catch (error) {
    const known = asUsageError(error, subject)
    if (known instanceof UsageError) folder.discard()
    throw known
  } finally {
    progress.stop()
    await close()
    folder.release()
    interruption.stop()
  }
}

interface Finish {
  readonly id: string
  readonly nonce: string | undefined
  readonly subject: Subject
  readonly selection: Selection
  readonly driven: Driven
  readonly interruption: Interruption
  readonly span: Span
  readonly partial: RunRecord['partial']
  readonly gate: Gate
  readonly repetition: RunRecord['repetition']
  readonly folder: string
  readonly keep: boolean
}

function finish({
  id,
  nonce,
  subject,
  selection,
  driven,
  interruption,
  span,
  partial,
  gate,
  repetition,
  folder,
  keep,
}: Finish): RunRecord {
  const signal = interruption.received()
  const crashes = interruption.crashes.map((error) => ({
    scenario: runLog,
    message: error.stack ?? error.message,
  }))
  const built = buildRunRecord({
    run: id,
    nonce,
    suite: { name: packageInfo.name, version: packageInfo.version },
    catalogue: subject.profile,
    configuration: subject.configuration,
    declared: subject.profile.declared(subject.configuration),
    facts: factsOf(driven, keep && !signal),
    findings: driven.findings,
    failures: [...driven.failures, ...crashes, ...alteredRecordings(folder, driven.transcripts)],
    repetition,
    partial,
    interrupted: signal ?? false,
    started: span.started,
    finished: span.finished,
    clockJumpMs: span.jump,
    scenarios: selection.driven,
    transcripts: driven.transcripts,
    files: storedTranscripts(folder, [...selection.driven, runLog]),
    log: runLog,
    redact: driven.redact,
    folders: { '{package}': packageInfo.root, '~': homedir() },
  })
  const record = gate(built)
  return { ...record, exit: decideExit(record, { signal, unreachable: driven.unreachable }) }
}

/** With the address at which requests can be repeated, where the implementation stays. */
function factsOf({ facts, unreachable }: Driven, keep: boolean): RunRecord['facts'] {
  const address = facts['implementation']
  if (keep && unreachable === undefined) return { ...facts, [keptFact]: address }
  const left = outlivers().map(({ pid, command }) => `${pid} ${printable(command, 200)}`)
  return left.length === 0 ? facts : { ...facts, [leftRunningFact]: left.slice(0, 20) }
}

async function stayUntilInterrupted(
  terminal: Terminal,
  address: string,
  { signal }: Interruption,
): Promise<void> {
  terminal.line()
  terminal.line(
    `running  ${printable(address, 200)}, with everything that it met in the run; Ctrl-C ends it`,
  )
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** The gate was not reached, and nothing was found that says why. */
function isUnexplained({ scenarios, findings, gate }: RunRecord): boolean {
  const stopped = scenarios.find((each) => each.id === gate)?.outcome !== 'completed'
  return stopped && !findings.some((each) => each.scenario === gate && each.verdict === 'fail')
}

function printLastOutput(terminal: Terminal, folder: string): void {
  const lines = lastOutput(folder)
  if (lines.length === 0) return
  terminal.line()
  terminal.line('The implementation printed last:')
  for (const line of lines) terminal.line(`  ${line}`)
}

/** What turned out to be wrong with the configuration only when it was used. */
function asUsageError(error: unknown, { configuration }: Subject): unknown {
  if (error instanceof TemplateError) return unknownPlaceholder(error, configuration)
  if (error instanceof ConfigurationError) {
    return new UsageError(`invalid configuration: ${error.message}`)
  }
  const code = codeOf(error)
  if (recordOf(error)['syscall'] === 'listen' && (code === 'EADDRINUSE' || code === 'EACCES')) {
    const port = recordOf(error)['port']
    const setting = pathTo(port, configuration) ?? 'a port'
    return new UsageError(
      `${setting}: cannot listen on port ${String(port)}: ${whyNotListening(code)}`,
      ['another run may be using it; 0 takes a free port'],
    )
  }
  return error
}
