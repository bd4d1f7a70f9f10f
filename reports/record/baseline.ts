/**
 * Findings that are known and accepted for now, so that a pipeline fails for new ones only. A baseline cannot grow old
 * unnoticed: an entry that no longer occurs, names nothing of the catalogue, has expired or lacks a reason is a problem.
 */

import { z } from 'zod'
import { inPlainWords, problemsWith, unproven, type Finding } from '../../harness/engine/index.ts'
import type { Catalogue } from './catalogue.ts'
import type { RunRecord } from './run-record.ts'

/** Names the file type; a reader looks at it before anything else. */
export const baselineFormat = 'agent-oauth-conformance/baseline'
/** Version of the stored form; a reader refuses any other. */
export const baselineVersion = 1

const entry = z.strictObject({
  requirement: z.string(),
  scenario: z.string(),
  /** What it is known to be; a change is a new finding. */
  verdict: z.enum(['fail', 'inconclusive', 'not-offered']).default('fail'),
  /** Why it is accepted, for whoever reads the file next. */
  reason: z.string().trim().max(1000),
  /** The last day on which it is accepted, in UTC. */
  expires: z.iso.date().exactOptional(),
})

const baselineSchema = z.strictObject({
  format: z.literal(baselineFormat),
  version: z.literal(baselineVersion),
  profile: z.string(),
  entries: z.array(entry).readonly(),
})

/** The known findings of an implementation, each with a reason. */
export type Baseline = z.infer<typeof baselineSchema>
/** A finding that is known. */
export type BaselineEntry = Baseline['entries'][number]

/** A baseline that cannot be read. */
export class BaselineError extends Error {
  readonly code = 'invalid_baseline'
  constructor(message: string) {
    super(message)
    this.name = 'BaselineError'
  }
}

/** Validates a baseline for this profile. @throws {@link BaselineError} */
export function parseBaseline(text: string, profile: string): Baseline {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    throw new BaselineError(error instanceof Error ? error.message : String(error))
  }
  const parsed = baselineSchema.safeParse(input, { error: inPlainWords })
  if (!parsed.success)
    throw new BaselineError(problemsWith(parsed.error, input, 'the file')[0] ?? 'unreadable')
  if (parsed.data.profile !== profile) {
    throw new BaselineError(
      `profile: it is a baseline of ${JSON.stringify(parsed.data.profile)}, expected ${JSON.stringify(profile)}`,
    )
  }
  return parsed.data
}

/** A baseline that knows nothing. */
export function emptyBaseline(profile: string): Baseline {
  return { format: baselineFormat, version: baselineVersion, profile, entries: [] }
}

/** What a run record says of the baseline that it was held against. */
export type BaselineUse = Exclude<RunRecord['baseline'], false>

/** What of a run is held against a baseline. */
export interface Held {
  readonly findings: readonly Finding[]
  readonly strict: boolean
  readonly partial: RunRecord['partial']
  readonly catalogue: Catalogue
  /** Day of the run, `2026-01-31`. */
  readonly today: string
}

/** Which findings are known, and what is wrong with the baseline. */
export function holdAgainst({ entries }: Baseline, held: Held): BaselineUse {
  const known = entries.filter((each) => occurs(each, held))
  return {
    known: known.map(({ requirement, scenario, verdict, reason }) => ({
      requirement,
      scenario,
      verdict,
      reason,
    })),
    problems: entries.flatMap((each) => {
      const why = problemOf(each, held)
      return why === undefined ? [] : [`${each.requirement} in ${each.scenario}: ${why}`]
    }),
  }
}

/** The baseline that fits this run: what occurs, with the reasons there are, and what this run did not look at. */
export function updated(baseline: Baseline, held: Held): Baseline {
  const kept = baseline.entries.filter(
    (each) => isAsked(each, held) && !isJudged(each, held) && !occurs(each, held),
  )
  const occurring = counting(held)
  const unique = new Map(occurring.map((finding) => [keyOf(finding), finding]))
  const now = [...unique.values()].map(({ requirement, scenario, verdict }): BaselineEntry => {
    const before = baseline.entries.find(
      (each) => each.requirement === requirement && each.scenario === scenario,
    )
    const state = verdict === 'inconclusive' || verdict === 'not-offered' ? verdict : 'fail'
    return before
      ? { ...before, verdict: state }
      : { requirement, scenario, verdict: state, reason: '' }
  })
  const byKey = (a: BaselineEntry, b: BaselineEntry): number => (keyOf(a) < keyOf(b) ? -1 : 1)
  return { ...baseline, entries: [...kept, ...now].sort(byKey) }
}

/** The stored form. */
export function baselineJson(baseline: Baseline): string {
  return `${JSON.stringify(baseline, undefined, 2)}\n`
}

/** The reason why a finding is accepted; `undefined` for one that is not. */
export function knownReason({ baseline }: Pick<RunRecord, 'baseline'>, finding: Finding) {
  if (!baseline) return undefined
  return baseline.known.find((each) => keyOf(each) === keyOf(finding))?.reason
}

interface Key {
  readonly requirement: string
  readonly scenario: string
  readonly verdict: string
}

function keyOf({ requirement, scenario, verdict }: Key): string {
  return `${requirement} ${scenario} ${verdict}`
}

/** Only what would make a run fail can be known. */
function counting({ findings, strict }: Held): Finding[] {
  const open = unproven(findings, strict)
  return findings.filter((each) => each.verdict === 'fail' || open.includes(each))
}

function occurs(entry: BaselineEntry, held: Held): boolean {
  return counting(held).some((each) => keyOf(each) === keyOf(entry))
}

/** Whether the catalogue judges this requirement in this scenario. */
function isAsked({ requirement, scenario }: BaselineEntry, { catalogue }: Held): boolean {
  const found = catalogue.scenarios.find(({ id }) => id === scenario)
  return found?.checks.some((check) => check.requirement === requirement) ?? false
}

/** Whether this run judged it to the end: a shard saw only a part of what is judged over the whole run. */
function isJudged(
  { requirement, scenario }: BaselineEntry,
  { findings, partial, catalogue }: Held,
) {
  const found = catalogue.scenarios.find(({ id }) => id === scenario)
  if (partial && partial.shard && found?.after === 'all') return false
  return findings.some((each) => each.requirement === requirement && each.scenario === scenario)
}

function problemOf(entry: BaselineEntry, held: Held): string | undefined {
  const { requirement, scenario, verdict, reason, expires } = entry
  const { requirements } = held.catalogue
  if (!requirements.some(({ id }) => id === requirement)) return 'there is no such requirement'
  if (!isAsked(entry, held)) return `no scenario of the name ${scenario} judges it`
  if (isJudged(entry, held) && !occurs(entry, held)) {
    const found = held.findings.filter(
      (each) => each.requirement === requirement && each.scenario === scenario,
    )
    const now = [...new Set(found.map((each) => each.verdict))].join(', ')
    return `no longer occurs: expected ${verdict}, found ${now}`
  }
  if (expires !== undefined && expires < held.today) return `expired on ${expires}`
  return reason === '' ? 'has no reason: say why it is accepted' : undefined
}
