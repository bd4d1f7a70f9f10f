/** Which findings of a run nobody has read against the software yet, and which readings no run shows any more. */

import type { RunRecord } from '../../reports/index.ts'
import type { Reading, Recipe } from './recipe.ts'

/** A run of a recipe: the configuration that it was made with, and its record. */
export interface RecipeRun {
  readonly configuration: string
  readonly record: RunRecord
}

/** What an implementation is told of: what it breaks, and what could not be proven of it. */
const told = new Set(['fail', 'warn', 'inconclusive'])

/** The requirements of a run that were found broken, or could not be proven. */
export function toldOf({ requirements }: RunRecord): readonly string[] {
  return requirements.filter(({ verdict }) => told.has(verdict)).map(({ id }) => id)
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
  const open = runs.flatMap((run) =>
    toldOf(run.record)
      .filter((id) => readingOf(recipe, run, id) === undefined)
      .map((id) => `${recipe.name}, ${run.configuration}: ${id} was not read yet`),
  )
  const gone = recipe.observed.flatMap((reading) =>
    reading.requirements
      .filter((id) => !runs.some((run) => shows(recipe, run, reading, id)))
      .map((id) => `${recipe.name}: ${id} was read, and no run finds it`),
  )
  return [...open, ...gone]
}

function shows(recipe: Recipe, run: RecipeRun, reading: Reading, id: string): boolean {
  return readingOf(recipe, run, id) === reading && toldOf(run.record).includes(id)
}
