/** `aoc report`: writes views of a run that was stored earlier. */

import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  formatIds,
  formatNames,
  readStoredRun,
  renderers,
  RunRecordError,
  writeAtomically,
  type FormatId,
  type StoredRun,
} from '../../reports/index.ts'
import { openInBrowser } from '../print/open-in-browser.ts'
import { terminalOf } from '../print/terminal.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { makeFolder } from '../outcome/make-folder.ts'

export interface ReportOptions {
  readonly format?: readonly (FormatId | 'all')[]
  readonly output?: string
  readonly open?: boolean
}

/** Writes the reports and says where. @throws {@link UsageError} */
export async function report(
  path: string,
  { format = ['html'], output, open }: ReportOptions,
): Promise<number> {
  const formats = format.includes('all') ? formatIds : [...new Set(format as FormatId[])]
  const [only, ...more] = formats
  if (output === '-' && more.length > 0) {
    throw new UsageError('--output -: standard output takes one --format')
  }
  if (open && (output === '-' || !formats.includes('html'))) {
    throw new UsageError('--open: opens the HTML report, so it needs --format html and a file')
  }
  const { record, transcripts } = storedRun(path)
  if (output === '-' && only) {
    process.stdout.write(renderers[only](record, transcripts))
    return 0
  }
  const terminal = terminalOf(process.stdout)
  for (const id of formats) {
    const file = target(path, id, { output, alone: more.length === 0 })
    store(file, renderers[id](record, transcripts))
    terminal.line(`wrote ${file}`)
    if (open && id === 'html' && !(await openInBrowser(resolve(file)))) {
      terminal.line('no browser could be started; open the file yourself')
    }
  }
  return 0
}

/** The stored run at a path. @throws {@link UsageError} when there is none that can be read */
function storedRun(path: string): StoredRun {
  try {
    return readStoredRun(folderOf(path))
  } catch (error) {
    if (!(error instanceof RunRecordError)) throw error
    throw new UsageError(error.message, ['expected the folder of a run, with results.json in it'])
  }
}

function folderOf(path: string): string {
  return basename(path) === 'results.json' ? dirname(path) : path
}

function target(
  path: string,
  id: FormatId,
  { output, alone }: { readonly output: string | undefined; readonly alone: boolean },
): string {
  const { file } = formatNames[id]
  if (output === undefined) return join(folderOf(path), file)
  return alone && !output.endsWith('/') && !isFolder(output) ? output : join(output, file)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function store(file: string, content: string): void {
  try {
    makeFolder(dirname(file))
    writeAtomically(file, content)
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${messageOf(error)}`)
  }
}
