/** Reads the token store and the log files that a vendor declared, so that they can be scanned. */

import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import {
  filesAt,
  outputOf,
  readable,
  type DeclaredFile,
} from '../../harness/parties/implementation/declared-files.ts'
import type { Recorder, Run } from '../../harness/engine/index.ts'
import type { StoreConfiguration } from './declarations.ts'

interface OutputFile {
  readonly path: string
  readonly text: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly modified: number
}

interface OutputFiles {
  readonly files: readonly OutputFile[]
  /** Whether there was more than is read. */
  readonly truncated: boolean
}

/**
 * What stands at the given paths, and what the given commands print. `{data.dir}` stands for the data folder of every
 * instance that was started. Bytes are read as Latin-1, so that binary stores can be scanned too.
 *
 * @throws Unreached when a command fails
 */
async function outputFiles(
  declared: readonly StoreConfiguration[],
  base: string,
  dataRoot: string,
): Promise<OutputFiles> {
  const folders = listFolder(dataRoot).map((instance) => join(dataRoot, instance))
  const paths = declared.filter((each) => typeof each === 'string')
  const found = filesAt(
    paths.flatMap((path) =>
      path.includes('{data.dir}')
        ? folders.map((folder) => path.replaceAll('{data.dir}', folder))
        : [resolve(base, path)],
    ),
  )
  const printed: DeclaredFile[] = []
  for (const { command } of declared.filter((each) => typeof each !== 'string')) {
    const each = command.some((part) => part.includes('{data.dir}')) ? folders : ['']
    for (const folder of each) {
      printed.push(await outputOf(command, { base, values: { 'data.dir': folder } }))
    }
  }
  return {
    truncated: found.truncated,
    files: [...found.files, ...printed].map(({ path, content, size, modified }) => ({
      path: path.startsWith(dataRoot) ? relative(dataRoot, path) : path,
      text: readable(content),
      bytes: size,
      modified,
    })),
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** What a vendor declares that is written. */
export interface DeclaredOutput {
  readonly tokenStore?: readonly StoreConfiguration[] | undefined
  readonly logs?: readonly string[] | undefined
}

/** Against which relative paths are resolved, and where the data folders of all instances are. */
interface Place {
  readonly configuration: { readonly base: string }
  readonly dataRoot: string
}

/** Records the declared stores and log files as they are now. @throws Unreached when a command fails */
export async function recordOutputFiles(
  recorder: Recorder,
  run: Run,
  { configuration: { base }, dataRoot }: Place,
  { tokenStore = [], logs = [] }: DeclaredOutput,
): Promise<void> {
  for (const [kind, patterns] of [
    ['store', tokenStore],
    ['log', logs],
  ] as const) {
    const { files, truncated } = await outputFiles(patterns, base, dataRoot)
    for (const { path, text, bytes, modified } of files) {
      const since = Math.round(run.now() - (Date.now() - modified))
      const source = `${kind} ${path}`
      recorder.record({ type: 'output', source, text, bytes, modified: since })
    }
    if (truncated) recorder.record({ type: 'step', action: 'unscanned', detail: { kind } })
  }
}
