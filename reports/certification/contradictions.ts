/** What a run record says twice, or what follows from its recordings and the catalogue, has to agree. */

import {
  runLog,
  timingOf,
  windowWhilePending,
  type AnyProfile,
  type BaseConfiguration,
  type Transcript,
} from '../../harness/engine/index.ts'
import { canonicalJson } from '../record/catalogue.ts'
import { judgingCode } from '../record/judging-code.ts'
import type { RunRecord, ScenarioRecord } from '../record/run-record.ts'
import type { StoredRun } from '../record/stored-run.ts'

export interface Installed {
  readonly suite: { readonly name: string; readonly version: string }
  /** How a run with this record ends. */
  readonly decideExit: (record: RunRecord) => RunRecord['exit']
}

/** Milliseconds by which a timer may fire early, and times are rounded. */
const slack = 50

/** Why the record cannot be what such a run left, one reason a line. */
export function contradictions(
  stored: StoredRun,
  profile: AnyProfile,
  installed: Installed,
): string[] {
  return [
    ...namesAndSettings(stored.record, profile, installed),
    ...times(stored),
    ...rows(stored, profile),
    ...[...stored.transcripts].flatMap(([id, transcript]) =>
      recording(transcript, stored.record).map((why) => `the recording of ${id}: ${why}`),
    ),
  ]
}

function namesAndSettings(
  record: RunRecord,
  profile: AnyProfile,
  { suite, decideExit }: Installed,
): string[] {
  const { catalogue, ...own } = record.suite
  const configuration = record.configuration as unknown as BaseConfiguration
  const { title, revision, published } = profile.specification
  const checks = profile.scenarios.reduce((sum, scenario) => sum + scenario.checks.length, 0)
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['suite', own, { name: suite.name, version: suite.version }],
    ['environment.suite', record.environment.suite, suite.version],
    [
      'suite.catalogue',
      { ...catalogue, digest: undefined },
      {
        code: judgingCode(),
        requirements: profile.requirements.length,
        scenarios: profile.scenarios.length,
        checks,
      },
    ],
    ['specification', record.specification, { title, revision, published }],
    ['diagram', record.diagram, profile.diagram],
    ['gate', record.gate, profile.gate.scenario],
    ['exit', record.exit, decideExit(record)],
  ]
  const configured: readonly (readonly [string, unknown, () => unknown])[] = [
    ['profile', record.profile, () => configuration.profile],
    ['implementation', record.implementation, () => configuration.implementation],
    ['strict', record.strict, () => configuration.strict],
    [
      'settings',
      record.settings,
      () => ({ ...timingOf(configuration), concurrency: configuration.timing.concurrency }),
    ],
    ['declared', record.declared, () => profile.declared(configuration) as unknown],
  ]
  return [
    ...pairs.flatMap(([name, is, should]) => (same(is, should) ? [] : [`${name} is another`])),
    ...configured.flatMap(([name, is, should]) =>
      same(is, attempt(should)) ? [] : [`${name} is not what was configured`],
    ),
  ]
}

/** A configuration that was edited need not have the shape of one. */
function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}

function same(a: unknown, b: unknown): boolean {
  return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b)
}

function times({ record, transcripts }: StoredRun): string[] {
  const [started, finished] = [Date.parse(record.started), Date.parse(record.finished)]
  const last = Math.max(0, ...[...transcripts.values()].map(({ events }) => events.at(-1)?.t ?? 0))
  return [
    ...(finished < started ? ['it finished before it started'] : []),
    ...(record.durationMs === finished - started
      ? []
      : ['durationMs is not the time from started to finished']),
    ...(last > record.durationMs + slack ? ['it recorded more time than it took'] : []),
  ]
}

function rows({ record, transcripts }: StoredRun, profile: AnyProfile): string[] {
  const expected = profile.scenarios.map((each) => each.id)
  const found = record.scenarios.map(({ id }) => id)
  return [
    ...(same(found, expected) ? [] : ['scenarios are not those of the catalogue']),
    ...(transcripts.has(runLog) ? [] : ['there is no recording of what belongs to no scenario']),
    ...record.scenarios.flatMap((row) =>
      rowProblems(row, profile, transcripts.get(row.id)).map(
        (why) => `the row of ${row.id}: ${why}`,
      ),
    ),
  ]
}

function rowProblems(
  row: ScenarioRecord,
  profile: AnyProfile,
  transcript: Transcript | undefined,
): string[] {
  const scenario = profile.scenarios.find(({ id }) => id === row.id)
  if (!scenario || !transcript) return ['nothing was recorded']
  const end = transcript.end
  const [first, last] = [transcript.events[0], transcript.events.at(-1)]
  const took = first && last ? Math.round(last.t - first.t) : 0
  return [
    ...(row.title === scenario.title ? [] : ['its title is another']),
    ...(row.control === scenario.control ? [] : ['its control is another']),
    ...(row.outcome === (end?.outcome ?? 'unfinished') ? [] : ['its outcome is another']),
    ...(shortened(row.reason ?? '', end?.reason ?? '') ? [] : ['its reason is another']),
    ...(row.durationMs === took ? [] : ['its duration is another']),
  ]
}

/** Whether a text is another in which folders were replaced by their short names. */
function shortened(short: string, text: string): boolean {
  let at = 0
  const pieces = short.split(/~|\{package\}/)
  for (const piece of pieces) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return pieces.length > 1 || short === text
}

/** Times run forwards, and what was watched lasted as long as the settings say. */
function recording({ events }: Transcript, { settings, declared }: RunRecord): string[] {
  const backwards = events.find((event, index) => event.t < (events[index - 1]?.t ?? 0))
  const begins = events[0]?.t ?? 0
  const windows = events.flatMap((event) =>
    event.type === 'step' && event.action === 'window'
      ? [{ t: event.t, ms: Number(event.detail['ms']), pending: event.detail['pending'] === true }]
      : [],
  )
  const whilePending = windowWhilePending(settings.observeMs, declared['pendingTimeoutMs'])
  const short = windows.find(
    ({ ms, pending }) => !(ms >= (pending ? whilePending : settings.observeMs)),
  )
  const long = windows.find(({ t, ms }) => t - ms < begins - slack)
  return [
    ...(backwards ? [`event ${backwards.seq} is earlier than the one before`] : []),
    ...(short
      ? [`a window of ${short.ms} ms, where ${settings.observeMs} ms are to be watched`]
      : []),
    ...(long ? [`a window of ${long.ms} ms is longer than what was recorded`] : []),
  ]
}
