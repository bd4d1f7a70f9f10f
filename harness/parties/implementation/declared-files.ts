/** Reads what a vendor declared that its implementation keeps: files, folders, or what a command prints. */

import { execFile } from 'node:child_process'
import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inflated } from '../../engine/recording/secrets/compressed.ts'
import { Unreached } from '../../engine/scenario.ts'
import { fill, type Placeholders } from './template.ts'

/** A file, or the output of a command. */
export interface DeclaredFile {
  readonly path: string
  /** At most {@link fileLimit} of them. */
  readonly content: Buffer
  /** Bytes in all. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modified: number
}

/** Several of them, and whether there was more than is read. */
export interface DeclaredFiles {
  readonly files: readonly DeclaredFile[]
  readonly truncated: boolean
}

/** Most that is read of one file, in bytes. */
export const fileLimit = 16 * 1024 * 1024
/** Most files that are read. */
export const filesLimit = 5000

/** Milliseconds that a command gets. */
const patience = 30_000

/** What stands at these paths, folders read recursively; no link is followed below them. */
export function filesAt(paths: readonly string[]): DeclaredFiles {
  const found = paths.flatMap(filesBelow)
  const files = found.slice(0, filesLimit).flatMap(read)
  return {
    files,
    truncated: found.length > filesLimit || files.some(({ size }) => size > fileLimit),
  }
}

/** What a command prints, without a shell. @throws Unreached when it fails or prints too much */
export async function outputOf(
  command: readonly string[],
  { base, values }: { readonly base: string; readonly values: Placeholders },
): Promise<DeclaredFile> {
  const [file = '', ...args] = command.map((part) => fill(part, values))
  try {
    const { stdout } = await promisify(execFile)(file, args, {
      cwd: base,
      encoding: 'buffer',
      maxBuffer: fileLimit,
      timeout: patience,
    })
    return { path: `output of ${file}`, content: stdout, size: stdout.length, modified: Date.now() }
  } catch (error) {
    throw new Unreached(`the declared storage command failed: ${(error as Error).message}`)
  }
}

/** Bytes as Latin-1, so that a binary store can be scanned too; what is compressed in them stands behind: that hides nothing. */
export function readable(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return `${text}\n${inflated(text, 'file').content}`
}

/** What still runs may remove a file between its listing and its reading. */
function read(path: string): DeclaredFile[] {
  try {
    const content = readFileSync(path)
    const { mtimeMs: modified } = lstatSync(path)
    return [{ path, content: content.subarray(0, fileLimit), size: content.length, modified }]
  } catch {
    return []
  }
}

function filesBelow(path: string): string[] {
  try {
    const stat = lstatSync(path)
    if (stat.isFile()) return [path]
    return stat.isDirectory()
      ? readdirSync(path).flatMap((entry) => filesBelow(join(path, entry)))
      : []
  } catch {
    return []
  }
}
