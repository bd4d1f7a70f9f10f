/** `aoc compare`: the grid implementations × requirements of several stored runs. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { printable } from '../../harness/engine/index.ts'
import {
  compareRuns,
  comparisonMarkdown,
  comparisonPages,
  readResults,
  RunRecordError,
  writeAtomically,
  type Comparison,
  type RunRecord,
} from '../../reports/index.ts'
import { terminalOf } from '../print/terminal.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { makeFolder } from '../outcome/make-folder.ts'

export interface CompareOptions {
  readonly output: string
  readonly markdown?: boolean
}

/** Writes the comparison, or prints it as Markdown. @throws {@link UsageError} */
export function compare(paths: readonly string[], { output, markdown }: CompareOptions): number {
  const records = paths.flatMap(runsAt).map(readRun)
  if (records.length < 2) {
    throw new UsageError(`expected at least two runs, found ${records.length}`, [
      'give folders of runs or bundles, or a folder that holds them',
    ])
  }
  const comparisons = compareRuns(records)
  if (markdown) {
    process.stdout.write(comparisonMarkdown(comparisons))
    return 0
  }
  write(output, comparisons)
  const terminal = terminalOf(process.stdout)
  for (const { profile, columns, rows } of comparisons) {
    const differing = rows.filter(({ differs }) => differs).length
    terminal.line(
      `${printable(profile, 120)}: ${columns.length} runs, which differ in ${differing} requirements`,
    )
  }
  terminal.line(`wrote ${join(output, 'index.html')} and ${join(output, 'comparison.md')}`)
  return 0
}

/** A run itself, or the runs in the folders of a registry. */
function runsAt(path: string): string[] {
  if (!existsSync(path)) throw new UsageError(`${path}: there is no such folder`)
  if (existsSync(join(path, 'results.json'))) return [path]
  const found = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .filter((folder) => existsSync(join(folder, 'results.json')))
    .sort()
  if (found.length === 0) throw new UsageError(`${path}: no results.json in it or in its folders`)
  return found
}

function readRun(folder: string): RunRecord {
  try {
    return readResults(join(folder, 'results.json'))
  } catch (error) {
    if (!(error instanceof RunRecordError)) throw error
    throw new UsageError(`${folder}: ${error.message}`)
  }
}

function write(folder: string, comparisons: readonly Comparison[]): void {
  try {
    makeFolder(folder)
    for (const [file, content] of comparisonPages(comparisons)) {
      writeAtomically(join(folder, file), content)
    }
    writeAtomically(join(folder, 'comparison.md'), comparisonMarkdown(comparisons))
  } catch (error) {
    throw new UsageError(`cannot write to ${folder}: ${messageOf(error)}`)
  }
}
