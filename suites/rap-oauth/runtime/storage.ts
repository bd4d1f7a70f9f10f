/** Looks for the unique parts of authorization URLs in what a runtime stores and logs. */

import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { fill, needlesOf, Unreached } from '../../../harness/index.ts'
import type { StorageConfiguration } from './configuration.ts'

export interface Stored {
  readonly path: string
  readonly bytes: Buffer
}

export interface StoragePlace {
  readonly base: string
  readonly dataDir: string
  /** Placeholders for a command that dumps. */
  readonly values: Readonly<Record<string, string>>
}

const run = promisify(execFile)

/** A file that is being written anew is empty for a moment. */
const attempts = 5

/** Everything that is stored at the declared places. @throws Unreached when a declared command fails */
export async function readStorage(
  declared: readonly StorageConfiguration[],
  place: StoragePlace,
): Promise<Stored[]> {
  let stored: Stored[] = []
  for (let attempt = 0; attempt < attempts && stored.every(isEmpty); attempt += 1) {
    stored = await readOnce(declared, place)
  }
  return stored
}

const isEmpty = ({ bytes }: Stored): boolean => bytes.length === 0

async function readOnce(
  declared: readonly StorageConfiguration[],
  place: StoragePlace,
): Promise<Stored[]> {
  const all: Stored[] = []
  for (const each of declared) {
    if (typeof each === 'string') {
      all.push(...filesBelow(resolve(place.base, fill(each, place.values))))
    } else if ('command' in each) {
      all.push(await dumped(each.command, place))
    }
  }
  return all
}

async function dumped(command: readonly string[], { base, values }: StoragePlace): Promise<Stored> {
  const [file = '', ...args] = command.map((part) => fill(part, values))
  try {
    const options = { cwd: base, encoding: 'buffer', maxBuffer: 64 * 1024 * 1024, timeout: 30_000 }
    const { stdout } = await run(file, args, options as { encoding: 'buffer' })
    return { path: `output of ${file}`, bytes: stdout }
  } catch (error) {
    throw new Unreached(`the declared storage command failed: ${(error as Error).message}`)
  }
}

/** The encodings in which a token stands in the bytes. */
export function findToken(bytes: Buffer, token: string): string[] {
  const text = bytes.toString('latin1')
  return needlesOf(token, true)
    .filter((needle) => text.includes(needle.text))
    .map((needle) => needle.encoding)
}

function filesBelow(path: string): Stored[] {
  try {
    const stat = statSync(path)
    // A runtime that still runs may remove a file between its listing and its reading.
    if (stat.isFile()) return [{ path, bytes: readFileSync(path) }]
    if (!stat.isDirectory()) return []
    return readdirSync(path).flatMap((entry) => filesBelow(join(path, entry)))
  } catch {
    return []
  }
}
