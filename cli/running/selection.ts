/** Decides by filters what is driven and which findings are reported. */

import type { AnyProfile, Finding, Scenario } from '../../harness/engine/index.ts'
import type { RunRecord } from '../../reports/index.ts'
import { suggest } from '../input/suggest.ts'
import { UsageError } from '../input/usage-error.ts'

export interface Selection {
  /** Ids of the scenarios to drive; more than are reported, where one needs another. */
  readonly driven: readonly string[]
  /** Ids of the scenarios of which findings are reported. */
  readonly judged: readonly string[]
  readonly reports: (finding: Pick<Finding, 'scenario' | 'requirement'>) => boolean
}

/**
 * A filter that is an id selects that requirement or scenario, any other text whatever contains it.
 * @throws {@link UsageError} when a filter matches nothing
 */
export function select(profile: AnyProfile, filters: readonly string[]): Selection {
  const scenarios: readonly Scenario<unknown>[] = profile.scenarios
  const all = scenarios.map(({ id }) => id)
  if (filters.length === 0) return { driven: all, judged: all, reports: () => true }
  const matchers = filters.map((filter) => matcher(filter, profile))
  const reports: Selection['reports'] = (finding) => matchers.some((matches) => matches(finding))
  const judged = scenarios.filter(({ id, checks }) =>
    checks.some(({ requirement }) => reports({ scenario: id, requirement })),
  )
  // What judges the recordings of the whole run needs the whole run.
  if (judged.some(({ after }) => after === 'all')) {
    return { driven: all, judged: judged.map(({ id }) => id), reports }
  }
  const needed = new Set([
    profile.gate.scenario,
    ...judged.flatMap(({ id, control }) => [id, control ?? id]),
  ])
  return {
    driven: all.filter((id) => needed.has(id)),
    judged: judged.map(({ id }) => id),
    reports,
  }
}

/** One of several parts of a suite that run apart from each other. */
export interface Shard {
  /** Counted from 1. */
  readonly index: number
  readonly of: number
}

/**
 * Every n-th scenario of the catalogue, so that the same shard is always the same. What judges the recordings of a
 * whole run is part of every shard, and what a scenario needs is driven with it.
 * @throws {@link UsageError} when there are more shards than scenarios
 */
export function selectShard(profile: AnyProfile, { index, of }: Shard): Selection {
  const scenarios: readonly Scenario<unknown>[] = profile.scenarios
  const single = scenarios.filter(({ after }) => after !== 'all')
  if (of > single.length) {
    throw new UsageError(`--shard ${index}/${of}: ${profile.id} has ${single.length} scenarios`, [
      `at most ${single.length} shards`,
    ])
  }
  const own = new Set(single.filter((_, place) => place % of === index - 1))
  const judged = scenarios.filter((each) => own.has(each) || each.after === 'all')
  const needed = new Set([
    profile.gate.scenario,
    ...judged.flatMap(({ id, control }) => [id, control ?? id]),
  ])
  return {
    driven: scenarios.map(({ id }) => id).filter((id) => needed.has(id)),
    judged: judged.map(({ id }) => id),
    reports: () => true,
  }
}

/** What a stored run was a part of. */
export function selectionOf(profile: AnyProfile, partial: RunRecord['partial']): Selection {
  if (partial && partial.shard) return selectShard(profile, partial.shard)
  return select(profile, partial ? partial.filters : [])
}

function matcher(
  filter: string,
  { id, requirements, scenarios }: AnyProfile,
): Selection['reports'] {
  const scenarioIds = scenarios.map((scenario) => scenario.id)
  const judgeable = requirements.filter((row) => row.excluded === undefined).map((row) => row.id)
  const excluded = requirements.find((row) => row.id === filter)?.excluded
  if (excluded !== undefined) {
    throw new UsageError(`--filter ${filter}: no run can judge this requirement: ${excluded}`)
  }
  const known = [...scenarioIds, ...judgeable]
  const wanted = filter.trim().toLowerCase()
  const selects = known.includes(filter)
    ? (text: string) => text === filter
    : (text: string) => text.toLowerCase().includes(wanted)
  if (wanted === '' || !known.some(selects)) {
    const near = suggest(filter, known)
    throw new UsageError(
      `--filter ${JSON.stringify(filter)} matches no requirement or scenario of ${id}`,
      [
        ...(near.length > 0 ? [`did you mean ${near.join(', ')}?`] : []),
        'aoc list requirements and aoc list scenarios show all',
      ],
    )
  }
  return ({ scenario, requirement }) => selects(scenario) || selects(requirement)
}
