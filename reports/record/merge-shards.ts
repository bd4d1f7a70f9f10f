/**
 * Joins the shards of a run: the recordings are put together and judged again as one, so that the merged record is what
 * a single run would have written. A verdict never becomes better by that than the shard that saw it said.
 */

import {
  judgeRecorded,
  runLog,
  Transcript,
  type AnyProfile,
  type Finding,
  type HarnessFailure,
} from '../../harness/engine/index.ts'
import { canonicalJson, catalogueDigest } from './catalogue.ts'
import { findingsByKey } from './finding-key.ts'
import { joined, moved } from './join-recordings.ts'
import { RunRecordError, type RunRecord } from './run-record.ts'
import type { StoredRun } from './stored-run.ts'
import { countVerdicts, summarizeRequirements, worstVerdict, verdictOf } from './summarize.ts'

/** A stored shard, and the scenarios that are its own. */
export interface StoredShard extends StoredRun {
  /** How the user named it. */
  readonly path: string
  readonly judged: readonly string[]
}

/** A whole run, put together from its shards. */
export interface Merged {
  readonly record: Omit<RunRecord, 'exit'>
  readonly transcripts: ReadonlyMap<string, Transcript>
}

export interface MergeOptions {
  readonly run: string
  readonly profile: AnyProfile
  /** Stores a recording and gives its place and digest. */
  readonly store: (scenario: string, transcript: Transcript) => { file: string; digest: string }
}

/** @throws {@link RunRecordError} for shards that overlap, leave a gap or are not of one run */
export function mergeShards(shards: readonly StoredShard[], options: MergeOptions): Merged {
  const ordered = inOrder(shards)
  const [first] = ordered
  requireSameRun(ordered, options.profile)
  const { record } = first
  const transcripts = joinRecordings(ordered, options.profile)
  const failures = ordered.flatMap((shard) => [...shard.record.failures])
  const clockJumpMs = ordered.find((each) => each.record.clockJumpMs !== undefined)?.record
    .clockJumpMs
  const set = clockJumpMs === undefined ? {} : { clockJumpMs }
  const findings = judgeAll(ordered, transcripts, options.profile, failures)
  const started = ordered.map((each) => each.record.started).toSorted()[0] ?? record.started
  const finished =
    ordered
      .map((each) => each.record.finished)
      .toSorted()
      .at(-1) ?? record.finished
  const files = new Map(
    [...transcripts].map(([id, transcript]) => [id, options.store(id, transcript)]),
  )
  const log = files.get(runLog)
  return {
    transcripts,
    record: {
      ...record,
      run: options.run,
      partial: false,
      baseline: false,
      verdict: verdictOf(findings, { strict: record.strict, ...set }),
      ...set,
      started,
      finished,
      durationMs: Date.parse(finished) - Date.parse(started),
      counts: countVerdicts(findings),
      scenarios: scenariosOf(ordered, options.profile, files),
      ...(log ? { log } : {}),
      requirements: summarizeRequirements(options.profile, findings),
      findings,
      failures,
    },
  }
}

type Shards = readonly [StoredShard, ...StoredShard[]]

/** Every shard once, from the first to the last. */
function inOrder(shards: readonly StoredShard[]): Shards {
  const byIndex = new Map<number, StoredShard>()
  let total: number | undefined
  for (const shard of shards) {
    const { partial } = shard.record
    const own = partial ? partial.shard : undefined
    if (!own) throw new RunRecordError(`${shard.path} is not a shard: it was run without --shard`)
    const other = byIndex.get(own.index)
    if (other) {
      throw new RunRecordError(
        `overlap: ${other.path} and ${shard.path} are both shard ${own.index} of ${own.of}`,
      )
    }
    if (total !== undefined && total !== own.of) {
      throw new RunRecordError(`${shard.path} is one of ${own.of} shards, the others of ${total}`)
    }
    total = own.of
    byIndex.set(own.index, shard)
  }
  const indexes = Array.from({ length: total ?? 0 }, (_, index) => index + 1)
  const missing = indexes.filter((index) => !byIndex.has(index))
  if (missing.length > 0) {
    throw new RunRecordError(`gap: of ${total} shards, ${missing.join(', ')} missing`)
  }
  const [first, ...rest] = indexes.flatMap((index) => byIndex.get(index) ?? [])
  if (!first) throw new RunRecordError('no shards were given')
  return [first, ...rest]
}

/** What must be the same in all shards, because verdicts depend on it. */
const sameEverywhere = [
  'suite',
  'profile',
  'implementation',
  'strict',
  'settings',
  'configuration',
  'declared',
] as const

function requireSameRun([first, ...others]: Shards, profile: AnyProfile): void {
  const installed = catalogueDigest(profile)
  const found = first.record.suite.catalogue.digest
  if (found !== installed) {
    throw new RunRecordError(
      `${first.path}: judged by another catalogue of ${profile.id} (${found}); this suite has ${installed}`,
    )
  }
  for (const { path, record } of [first, ...others]) {
    if (record.interrupted) {
      throw new RunRecordError(`${path} was interrupted by ${record.interrupted}`)
    }
    const differs = sameEverywhere.find(
      (key) => canonicalJson(record[key]) !== canonicalJson(first.record[key]),
    )
    if (differs) {
      throw new RunRecordError(`${path} and ${first.path} are not of one run: ${differs} differs`)
    }
  }
}

function isShared(profile: AnyProfile, id: string): boolean {
  return id === runLog || profile.scenarios.some((each) => each.id === id && each.after === 'all')
}

/** The shards one after the other; what every shard recorded for itself becomes one recording. */
function joinRecordings(shards: Shards, profile: AnyProfile): Map<string, Transcript> {
  let begins = 0
  const parts = new Map<string, Transcript[]>()
  for (const [index, { judged, transcripts }] of shards.entries()) {
    let ends = begins
    for (const [id, transcript] of transcripts) {
      const last = transcript.events.at(-1)?.t ?? 0
      ends = Math.max(ends, begins + last)
      if (!isShared(profile, id) && !judged.includes(id)) continue
      const own = moved(transcript, { shard: index, begins })
      parts.set(id, [...(parts.get(id) ?? []), own])
    }
    begins = ends + 1
  }
  return new Map(
    [...parts].map(([id, [first = new Transcript([]), ...more]]) => [
      id,
      more.length === 0 ? first : joined([first, ...more]),
    ]),
  )
}

function judgeAll(
  shards: Shards,
  transcripts: ReadonlyMap<string, Transcript>,
  profile: AnyProfile,
  failures: HarnessFailure[],
): Finding[] {
  const { settings, declared, strict } = shards[0].record
  const run = { transcripts, declared, timing: settings, strict }
  const seen = shards.map(({ record, judged }) =>
    findingsByKey(record.findings.filter(({ scenario }) => judged.includes(scenario))),
  )
  const scenarios: readonly { readonly id: string }[] = profile.scenarios
  return scenarios.flatMap(({ id }) => {
    const findings = judgeRecorded(profile, id, run, (error) => {
      failures.push({ scenario: id, message: String(error) })
    })
    const shared = isShared(profile, id)
    return [...findingsByKey(findings)].map(([key, finding]) =>
      worstOf(
        finding,
        seen.flatMap((each) => each.get(key) ?? []),
        { shared, recorded: transcripts.has(id) },
      ),
    )
  })
}

/**
 * A shard's own finding where it is worse. Over a whole run a shard may lack what another one has seen, so that there
 * only a violation counts. Its evidence is in the recordings of the shard. Of what nobody recorded, because the
 * implementation did not start, only the shard knows why.
 */
function worstOf(
  finding: Finding,
  seen: readonly Finding[],
  { shared, recorded }: { readonly shared: boolean; readonly recorded: boolean },
): Finding {
  const counting =
    shared && recorded ? seen.filter(({ verdict }) => verdict !== 'inconclusive') : seen
  const worst = worstVerdict([finding, ...counting].map(({ verdict }) => verdict))
  if (worst === finding.verdict && recorded) return finding
  const own = counting.find(({ verdict }) => verdict === worst)
  return own ? { ...own, evidence: [] } : finding
}

function scenariosOf(
  shards: Shards,
  profile: AnyProfile,
  files: ReadonlyMap<string, { file: string; digest: string }>,
): RunRecord['scenarios'] {
  const scenarios: readonly { readonly id: string }[] = profile.scenarios
  return scenarios.flatMap(({ id }) => {
    const owner = shards.find(({ judged }) => judged.includes(id))
    const stored = owner?.record.scenarios.find((each) => each.id === id)
    const file = files.get(id)
    return stored ? [{ ...stored, ...(file ? { transcript: file } : {}) }] : []
  })
}
