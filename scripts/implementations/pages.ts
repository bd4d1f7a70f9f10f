/** The pages of public implementations: one each, and the grid of all, by the code of `aoc compare`. */

import {
  compareRuns,
  comparisonMarkdown,
  headline,
  type RequirementRecord,
  type RunRecord,
} from '../../reports/index.ts'
import { buildLines, installLines } from './install.ts'
import type { Reading, Recipe } from './recipe.ts'
import { readingOf, toldOf, type RecipeRun, type Told } from './unread.ts'

/** A recipe with what came of it. */
export interface Certified {
  readonly recipe: Recipe
  readonly runs: readonly RecipeRun[]
}

/** The versions that a recipe pins. */
function versions({ install }: Recipe): string {
  const pinned = Object.values(install).filter((each) => Array.isArray(each))
  return pinned.flat().join(', ')
}

/** The page of one implementation. */
export function implementationPage({ recipe, runs }: Certified): string {
  const { name, what, home, unable, remarks, mended } = recipe
  return join([
    `# ${name}`,
    `${what} [Where it comes from](${home}). Installed: \`${versions(recipe)}\`.`,
    unable === undefined ? '' : `**It was not certified.** ${unable}`,
    runs.length === 0 && unable === undefined ? 'It was not certified yet.' : '',
    ...runs.map((run) => runSection(recipe, run)),
    remarks.length === 0 ? '' : join(['## To be known', list(remarks)]),
    mended.length === 0
      ? ''
      : join([
          '## What was wrong with the suite',
          'These findings were wrong at first. What was mended has a test.',
          list(mended.map(({ was, mend }) => `${was} Mended: ${mend}`)),
        ]),
    unable === undefined ? repeat(recipe) : '',
  ])
}

function runSection(recipe: Recipe, run: RecipeRun): string {
  const { record, configuration } = run
  const { counts } = record
  return join([
    `## ${record.profile}, ${configuration}`,
    `**${sentence(headline(record))}**, ${record.started.slice(0, 10)}, version ${record.implementation.version ?? 'not named'}: ` +
      `${counts.pass} checks pass, ${counts.fail} fail, ${counts.warn} warn, ${counts.inconclusive} are inconclusive. Judged by ${judgedBy(record)}.`,
    findings(recipe, run, 'fail', 'Broken (MUST)'),
    findings(recipe, run, 'warn', 'Not followed (SHOULD, and best practice)'),
    unproven(recipe, run),
  ])
}

function findings(recipe: Recipe, run: RecipeRun, kind: Told, title: string): string {
  const rows = toldOf(run.record, kind)
  if (rows.length === 0) return ''
  const readings = new Map<Reading | undefined, RequirementRecord[]>()
  for (const row of rows) {
    const reading = readingOf(recipe, run, row.id)
    readings.set(reading, [...(readings.get(reading) ?? []), row])
  }
  const items = [...readings].map(([reading, of]) => {
    const names = of.map(({ id, source }) => `\`${id}\` (${source})`).join(', ')
    return reading === undefined
      ? `${names}: not read yet.`
      : `${reading.text} In the source: ${reading.source}. ${names}`
  })
  return join([`### ${title}`, list(items)])
}

function unproven({ unproven: all }: Recipe, { record, configuration }: RecipeRun): string {
  const rows = toldOf(record, 'inconclusive')
  if (rows.length === 0) return ''
  const why = all.find((each) => each.in === configuration)
  const words = why === undefined ? 'Not read yet.' : `${why.text} In the source: ${why.source}.`
  return join([`### Not proven: ${rows.length} requirements`, words])
}

function repeat(recipe: Recipe): string {
  const lines = [...installLines(recipe), ...buildLines(recipe)].map((line) =>
    line.map(quoted).join(' '),
  )
  return join([
    '## Repeat it',
    `In a clone of this repository \`npm run implementations -- ${recipe.name}\` does all of it. By hand, in a copy of ` +
      `\`implementations/${recipe.name}\`:`,
    [
      '```sh',
      ...lines,
      ...recipe.configurations.map((file) => `aoc run --config ${file}`),
      '```',
    ].join('\n'),
  ])
}

/** The page that leads to all others. */
export function gridPage(all: readonly Certified[]): string {
  const done = all.filter(({ runs }) => runs.length > 0)
  const records = done.flatMap(({ runs }) => runs.map(({ record }) => record))
  const profiles = new Set(records.map(({ profile }) => profile))
  const judges = new Set(records.map(judgedBy))
  const wrong = all.flatMap(({ recipe }) => recipe.mended.map((each) => ({ ...each, recipe })))
  return join([
    '# Public implementations',
    `Software of others, installed from its registry as released and certified as it is: ${done.length} implementations, ` +
      `${profiles.size} profiles. Every finding was read against the source of the software before it was published here. ` +
      'What is written is what was observed, with that version, in that exchange. It says nothing about other versions, and ' +
      'a verdict on an example or an application built on a library is one on the example.',
    'Many do not claim to support the protocol that they are asked about here; then the page shows what their users see ' +
      'today. A warning is a recommendation that is not followed.',
    judges.size > 1
      ? 'The rows come from several runs, and not all were judged by the same code: the last column names it. Rows with the ' +
        'same mark can be compared; what an older mark says may be judged otherwise today.'
      : '',
    table(all),
    `## Findings that were wrong at first: ${wrong.length}`,
    wrong.length === 0
      ? 'None.'
      : join([
          'Software that others wrote found these errors of the suite. Each was mended with a test before anything was published.',
          list(wrong.map(({ recipe, was, mend }) => `${recipe.name}: ${was} Mended: ${mend}`)),
        ]),
    '## The grids',
    'A row for each requirement, a column for each run; what is printed bold differs.',
    comparisonMarkdown(compareRuns(records))
      .replaceAll(/^(#+) /gm, '#$1 ')
      .trimEnd(),
  ])
}

function table(all: readonly Certified[]): string {
  const rows = all.flatMap(({ recipe, runs }) => {
    const link = `[${recipe.name}](${recipe.name}.md)`
    if (runs.length === 0) return [`| ${link} | ${versions(recipe)} | | not certified | | | | |`]
    return runs.map(({ record }) => {
      const { pass, fail, warn } = record.counts
      const { name, version } = record.implementation
      return `| ${link} | ${name} ${version ?? ''} | ${record.profile} | ${word(record)} | ${pass} | ${fail} | ${warn} | ${judgedBy(record)} |`
    })
  })
  return [
    '| recipe | what | profile | verdict | pass | fail | warn | judged by |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/** The version of the suite, and which code: while a version is being made, its code changes from day to day. */
function judgedBy({ suite }: RunRecord): string {
  return `${suite.version}, code ${suite.catalogue.code.slice('sha256:'.length, 'sha256:'.length + 7)}`
}

function word(record: RunRecord): string {
  return `${headline(record)} (${record.started.slice(0, 10)})`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function quoted(word: string): string {
  return /^[\w@./=:-]+$/.test(word) ? word : `'${word}'`
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
