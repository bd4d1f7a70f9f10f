/** Puts the run record together from what a session left behind. */

import type { Finding, HarnessFailure, Transcript } from '../../harness/engine/index.ts'
import { timingOf } from '../../harness/engine/index.ts'
import { catalogueDigest, type Catalogue } from './catalogue.ts'
import { judgingCode } from './judging-code.ts'
import { mapStrings } from '../views/map-strings.ts'
import {
  runRecordFormat,
  runRecordVersion,
  type RunRecord,
  type ScenarioRecord,
} from './run-record.ts'
import { countVerdicts, summarizeRequirements, verdictOf } from './summarize.ts'
import { shortenPaths, withoutSecrets, type StoredConfiguration } from '../views/without-secrets.ts'

/** All that a run record is made of. */
export interface RunParts {
  readonly run: string
  readonly nonce?: string | undefined
  readonly suite: { readonly name: string; readonly version: string }
  readonly catalogue: Catalogue
  readonly configuration: StoredConfiguration
  /** What the vendor declared, as checks know it. */
  readonly declared: unknown
  readonly facts: Readonly<Record<string, unknown>>
  readonly findings: readonly Finding[]
  readonly failures: readonly HarnessFailure[]
  readonly partial: RunRecord['partial']
  readonly repetition: RunRecord['repetition']
  readonly interrupted: RunRecord['interrupted']
  readonly started: Date
  readonly finished: Date
  /** By how many milliseconds the clock of the machine jumped meanwhile. */
  readonly clockJumpMs?: number | undefined
  /** Ids of the scenarios that took part. */
  readonly scenarios: readonly string[]
  readonly transcripts: ReadonlyMap<string, Transcript>
  /** File and digest of a stored transcript, by scenario. */
  readonly files: ReadonlyMap<string, { readonly file: string; readonly digest: string }>
  /** Scenario name of the recording of what belongs to no scenario. */
  readonly log: string
  /** Replaces every secret of the run in a text. */
  readonly redact: (text: string) => string
  /** Short name → folder that is replaced by it. */
  readonly folders: Readonly<Record<string, string>>
}

/** Everything but how the run ended, which is decided over this. */
export type UnfinishedRecord = Omit<RunRecord, 'exit'>

/** The record without its exit code. All text in it is redacted. */
export function buildRunRecord(parts: RunParts): UnfinishedRecord {
  const { catalogue, configuration, findings, files, log } = parts
  const { implementation, strict } = configuration
  const local = <T>(value: T): T => shortenPaths(value, parts.folders)
  const { name, version } = implementation
  const logFile = files.get(log)
  const set = parts.clockJumpMs === undefined ? {} : { clockJumpMs: parts.clockJumpMs }
  const record: UnfinishedRecord = {
    format: runRecordFormat,
    version: runRecordVersion,
    run: parts.run,
    ...(parts.nonce === undefined ? {} : { nonce: parts.nonce }),
    suite: {
      ...parts.suite,
      catalogue: {
        digest: catalogueDigest(catalogue),
        code: judgingCode(),
        requirements: catalogue.requirements.length,
        scenarios: catalogue.scenarios.length,
        checks: catalogue.scenarios.reduce((sum, { checks }) => sum + checks.length, 0),
      },
    },
    profile: catalogue.id,
    specification: specificationOf(catalogue),
    diagram: catalogue.diagram,
    implementation: { name, ...(version === undefined ? {} : { version }) },
    verdict: verdictOf(findings, { strict, ...set }),
    strict,
    partial: parts.partial,
    baseline: false,
    repetition: parts.repetition,
    interrupted: parts.interrupted,
    settings: { ...timingOf(configuration), concurrency: configuration.timing.concurrency },
    configuration: local(withoutSecrets(configuration)),
    declared: local({ ...(parts.declared as RunRecord['declared']) }),
    facts: local(parts.facts),
    environment: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      suite: parts.suite.version,
    },
    started: parts.started.toISOString(),
    finished: parts.finished.toISOString(),
    durationMs: parts.finished.getTime() - parts.started.getTime(),
    ...set,
    counts: countVerdicts(findings),
    gate: catalogue.gate.scenario,
    scenarios: catalogue.scenarios
      .filter(({ id }) => parts.scenarios.includes(id))
      .map((scenario) => local(scenarioRecord(scenario, parts))),
    ...(logFile ? { log: logFile } : {}),
    requirements: summarizeRequirements(catalogue, findings),
    findings,
    failures: local(parts.failures),
  }
  return mapStrings(record, parts.redact)
}

function scenarioRecord(
  { id, title, control }: Catalogue['scenarios'][number],
  { transcripts, files }: RunParts,
): ScenarioRecord {
  const transcript = transcripts.get(id)
  const end = transcript?.end
  const first = transcript?.events[0]
  const last = transcript?.events.at(-1)
  const file = files.get(id)
  return {
    id,
    title,
    ...(control === undefined ? {} : { control }),
    outcome: end?.outcome ?? 'unfinished',
    ...(end?.reason === undefined ? {} : { reason: end.reason }),
    durationMs: first && last ? Math.round(last.t - first.t) : 0,
    ...(file ? { transcript: file } : {}),
  }
}

/** Without what only links are made of. */
function specificationOf({ specification }: Catalogue): RunRecord['specification'] {
  const { title, revision, published } = specification
  return { title, revision, published }
}
