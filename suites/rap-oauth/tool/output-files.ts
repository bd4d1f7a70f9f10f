/** Reads the token store and the log files that a vendor declared, so that they can be scanned. */

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export interface OutputFile {
  readonly path: string
  readonly text: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly modified: number
}

export interface OutputFiles {
  readonly files: readonly OutputFile[]
  /** Whether there was more than is read. */
  readonly truncated: boolean
}

/** Most that is read of one file, in bytes. */
const fileLimit = 16 * 1024 * 1024
const filesLimit = 5000

/**
 * The files at the given paths, folders read recursively. `{data.dir}` stands for the data folder of
 * every instance that was started. Bytes are read as Latin-1, so that binary stores can be scanned too.
 */
export function outputFiles(
  patterns: readonly string[],
  base: string,
  dataRoot: string,
): OutputFiles {
  const roots = patterns.flatMap((pattern) =>
    pattern.includes('{data.dir}')
      ? listFolder(dataRoot).map((instance) =>
          pattern.replaceAll('{data.dir}', join(dataRoot, instance)),
        )
      : [resolve(base, pattern)],
  )
  const paths = roots.flatMap(filesBelow)
  const files = paths.slice(0, filesLimit).flatMap((file) => {
    const bytes = readIfThere(file)
    if (!bytes) return []
    return {
      path: file.startsWith(dataRoot) ? relative(dataRoot, file) : file,
      text: bytes.subarray(0, fileLimit).toString('latin1'),
      bytes: bytes.length,
      modified: modifiedAt(file),
    }
  })
  return {
    files,
    truncated: paths.length > filesLimit || files.some(({ bytes }) => bytes > fileLimit),
  }
}

function modifiedAt(file: string): number {
  try {
    return statSync(file).mtimeMs
  } catch {
    return Date.now()
  }
}

/** A tool that still runs may remove a file between its listing and its reading. */
function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function filesBelow(path: string): string[] {
  try {
    const stat = statSync(path)
    if (stat.isFile()) return [path]
    if (!stat.isDirectory()) return []
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .flatMap((entry) => filesBelow(join(path, entry.name)))
  } catch {
    return []
  }
}
