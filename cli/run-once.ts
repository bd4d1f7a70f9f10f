/** One run: drives, judges, stores and prints it. */

import { homedir } from 'node:os'
import { ConfigurationError, runLog, TemplateError } from '../harness/index.ts'
import { buildRunRecord, type RunRecord } from '../reports/index.ts'
import type { Gate } from './baseline-gate.ts'
import type { Subject } from './configure.ts'
import { decideExit } from './decide-exit.ts'
import { drive, type Driven } from './drive.ts'
import { watchForInterruption, type Interruption } from './interruption.ts'
import { lastOutput } from './last-output.ts'
import { claimOutputFolder } from './output-folder.ts'
import { packageInfo } from './package-info.ts'
import { printResult } from './print-result.ts'
import { printReached, printStart } from './print-start.ts'
import { showProgress } from './progress.ts'
import type { Selection } from './selection.ts'
import { storedTranscripts, storeRun } from './store-run.ts'
import type { Terminal } from './terminal.ts'
import { codeOf, recordOf } from './unknown.ts'
import { unknownPlaceholder } from './unknown-placeholder.ts'
import { UsageError } from './usage-error.ts'

export interface RunOnce {
  readonly id: string
  readonly subject: Subject
  readonly selection: Selection
  readonly partial: RunRecord['partial']
  readonly gate: Gate
  /** Which of several repetitions it is. */
  readonly repetition: RunRecord['repetition']
  readonly output: string
  readonly terminal: Terminal
  readonly quiet: boolean
}

/** Certifies once, writes the results and returns the run record. @throws {@link UsageError} */
export async function runOnce({
  id,
  subject,
  selection,
  partial,
  gate,
  repetition,
  output,
  terminal,
  quiet,
}: RunOnce): Promise<RunRecord> {
  const folder = claimOutputFolder(output)
  const progress = showProgress(terminal, selection.driven, quiet)
  const interruption = watchForInterruption(progress.note)
  const started = new Date()
  try {
    const driven = await drive(subject, {
      id,
      directory: folder.path,
      selection,
      signal: interruption.signal,
      onProvider(issuer) {
        if (quiet) return
        progress.erase()
        printStart(terminal, subject, issuer, selection)
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
    const record = finish({
      id,
      subject,
      selection,
      driven,
      interruption,
      started,
      partial,
      gate,
      repetition,
      folder: folder.path,
    })
    storeRun(folder.path, record, driven.transcripts)
    const { pass, inconclusive } = record.counts
    // What it printed may say why it did not get further.
    if (inconclusive > pass && !interruption.received()) printLastOutput(terminal, folder.path)
    printResult(terminal, record, driven.transcripts, { folder: folder.path, quiet })
    return record
  } catch (error) {
    throw asUsageError(error, subject)
  } finally {
    progress.stop()
    folder.release()
    interruption.stop()
  }
}

interface Finish {
  readonly id: string
  readonly subject: Subject
  readonly selection: Selection
  readonly driven: Driven
  readonly interruption: Interruption
  readonly started: Date
  readonly partial: RunRecord['partial']
  readonly gate: Gate
  readonly repetition: RunRecord['repetition']
  readonly folder: string
}

function finish({
  id,
  subject,
  selection,
  driven,
  interruption,
  started,
  partial,
  gate,
  repetition,
  folder,
}: Finish): RunRecord {
  const signal = interruption.received()
  const crashes = interruption.crashes.map((error) => ({
    scenario: runLog,
    message: error.stack ?? error.message,
  }))
  const built = buildRunRecord({
    run: id,
    suite: { name: packageInfo.name, version: packageInfo.version },
    catalogue: subject.profile,
    configuration: subject.configuration,
    declared: subject.profile.declared(subject.configuration),
    facts: driven.facts,
    findings: driven.findings,
    failures: [...driven.failures, ...crashes],
    repetition,
    partial,
    interrupted: signal ?? false,
    started,
    finished: new Date(),
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

function printLastOutput(terminal: Terminal, folder: string): void {
  const lines = lastOutput(folder)
  if (lines.length === 0) return
  terminal.line('The implementation printed last:')
  for (const line of lines) terminal.line(`  ${line}`)
  terminal.line()
}

/** What turned out to be wrong with the configuration only when it was used. */
function asUsageError(error: unknown, { configuration }: Subject): unknown {
  if (error instanceof TemplateError) return unknownPlaceholder(error, configuration)
  if (error instanceof ConfigurationError) {
    return new UsageError(`invalid configuration: ${error.message}`)
  }
  const code = codeOf(error)
  if (recordOf(error)['syscall'] === 'listen' && (code === 'EADDRINUSE' || code === 'EACCES')) {
    const { provider } = configuration
    const port = recordOf(error)['port']
    const setting = provider ? 'provider.port' : 'listen'
    return new UsageError(`${setting}: cannot listen on port ${String(port)}: ${code}`, [
      'another run may be using it; 0 takes a free port',
    ])
  }
  return error
}
