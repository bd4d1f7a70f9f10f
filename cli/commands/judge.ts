/** `aoc judge`: judges the transcripts of a stored run again, without driving anything. */

import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { printable } from '../../harness/engine/index.ts'
import {
  readStoredRun,
  rejudge,
  resultsJson,
  RunRecordError,
  transcriptFile,
  type Rejudged,
  type StoredRun,
} from '../../reports/index.ts'
import { findProfile } from '../configuration/configure.ts'
import { exitOf } from '../outcome/decide-exit.ts'
import { printResult } from '../print/print-result.ts'
import { select, selectionOf } from '../running/selection.ts'
import { writeJson } from '../print/json.ts'
import { terminalOf, type Terminal } from '../print/terminal.ts'
import { UsageError } from '../input/usage-error.ts'

export interface JudgeOptions {
  readonly filter?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
}

/** So many findings that differ are named. */
const listed = 20

/** Judges a stored run, or some of its scenarios, and returns the exit code. @throws {@link UsageError} */
export function judge(paths: readonly string[], options: JudgeOptions): number {
  const { json = false, quiet = false } = options
  const { folder, scenarios } = locate(paths)
  const filters = [...scenarios, ...(options.filter ?? [])]
  const { stored, judged } = judgeStored(folder, filters)
  const exit = exitOf(judged.record)
  const record = { ...judged.record, exit }
  if (json) writeJson(resultsJson(record))
  else printResult(terminalOf(process.stdout), record, stored.transcripts, { folder, quiet })
  printDifferences(terminalOf(process.stderr), judged.differences)
  return exit.code
}

/** A folder is a run; a transcript names its run and one of its scenarios. */
function locate(paths: readonly string[]) {
  const found = paths.map((path) => {
    if (!existsSync(path)) throw new UsageError(`${path}: there is no such file or folder`)
    if (statSync(path).isDirectory()) return { folder: path, scenario: undefined }
    const folder = join(dirname(path), '..')
    const scenario = basename(path, '.jsonl')
    if (relative(folder, path) !== join(transcriptFile(scenario))) {
      throw new UsageError(
        `${path}: neither the folder of a run nor one of its transcripts/*.jsonl`,
      )
    }
    return { folder, scenario }
  })
  const folders = [...new Set(found.map(({ folder }) => relative('.', folder) || '.'))]
  const [folder, ...others] = folders
  if (folder === undefined || others.length > 0) {
    throw new UsageError(`one run at a time: found ${folders.join(' and ')}`)
  }
  const whole = found.some(({ scenario }) => scenario === undefined)
  const scenarios = found.flatMap(({ scenario }) => (scenario && !whole ? [scenario] : []))
  return { folder, scenarios }
}

function judgeStored(
  folder: string,
  filters: readonly string[],
): { readonly stored: StoredRun; readonly judged: Rejudged } {
  try {
    const stored = readStoredRun(folder)
    const { partial, profile: id } = stored.record
    const profile = findProfile(id, join(folder, 'results.json'))
    const whole = selectionOf(profile, partial)
    const wanted = select(profile, filters)
    const judged = rejudge(stored, profile, {
      judged: whole.judged.filter((scenario) => wanted.judged.includes(scenario)),
      reports: (finding) => whole.reports(finding) && wanted.reports(finding),
    })
    if (filters.length === 0) return { stored, judged }
    const narrowed = { ...partial, filters: [...(partial ? partial.filters : []), ...filters] }
    return { stored, judged: { ...judged, record: { ...judged.record, partial: narrowed } } }
  } catch (error) {
    if (!(error instanceof RunRecordError)) throw error
    throw new UsageError(printable(error.message, 600), [
      'only the unchanged folder of a complete run can be judged again',
    ])
  }
}

function printDifferences(terminal: Terminal, differences: readonly string[]): void {
  if (differences.length === 0) return
  const count = `${differences.length} ${differences.length === 1 ? 'finding' : 'findings'}`
  terminal.line(`The transcripts do not give what results.json says in ${count}:`)
  for (const each of differences.slice(0, listed)) terminal.line(`  ${printable(each, 300)}`)
  const rest = differences.length - listed
  if (rest > 0) terminal.line(`  and ${rest} more`)
}
