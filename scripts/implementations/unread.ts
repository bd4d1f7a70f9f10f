/** Which findings of a run nobody has read against the software yet, and which readings no run shows any more. */

import type { RequirementRecord, RunRecord } from '../../reports/index.ts'
import type { Reading, Recipe } from './recipe.ts'

/** A run of a recipe: the configuration that it was made with, and its record. */
export interface RecipeRun {
  readonly configuration: string
  readonly record: RunRecord
}

const kinds = ['fail', 'warn', 'inconclusive'] as const
/** What an implementation is told of: what it breaks, does not follow, and what could not be proven of it. */
export type Told = (typeof kinds)[number]

/** The requirements with a finding of this kind, each by the worst that was found: unproven elsewhere, broken here is broken. */
export function toldOf({ requirements, findings }: RunRecord, kind: Told): RequirementRecord[] {
  return requirements.filter(({ id }) => {
    const own = new Set(findings.filter((each) => each.requirement === id).map((f) => f.verdict))
    return kinds.find((each) => own.has(each)) === kind
  })
}

/** The reading of a requirement in a run. */
export function readingOf(
  { observed }: Recipe,
  { configuration }: RecipeRun,
  requirement: string,
): Reading | undefined {
  return observed.find(
    (each) =>
      (each.in === undefined || each.in === configuration) &&
      each.requirements.includes(requirement),
  )
}

/** What somebody has to look at before the page may be published; empty when all was read. */
export function unread(recipe: Recipe, runs: readonly RecipeRun[]): string[] {
  const { name, observed, unproven } = recipe
  const open = runs.flatMap((run) =>
    broken(run)
      .filter((id) => readingOf(recipe, run, id) === undefined)
      .map((id) => `${name}, ${run.configuration}: ${id} was not read yet`),
  )
  const unexplained = runs
    .filter(({ record }) => toldOf(record, 'inconclusive').length > 0)
    .filter(({ configuration }) => !unproven.some((each) => each.in === configuration))
    .map(({ configuration }) => `${name}, ${configuration}: why was not everything proven?`)
  const gone = observed.flatMap((reading) =>
    reading.requirements
      .filter((id) => !runs.some((run) => shows(recipe, run, reading, id)))
      .map((id) => `${name}: ${id} was read, and no run finds it`),
  )
  return [...open, ...unexplained, ...gone]
}

function shows(recipe: Recipe, run: RecipeRun, reading: Reading, id: string): boolean {
  return readingOf(recipe, run, id) === reading && broken(run).includes(id)
}

function broken({ record }: RecipeRun): readonly string[] {
  return [...toldOf(record, 'fail'), ...toldOf(record, 'warn')].map(({ id }) => id)
}
