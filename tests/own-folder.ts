/** The built command line in a folder of each test's own. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { runCli, scratch, type CliResult } from './run-cli.ts'

export interface OwnFolder {
  /** Where this test is. */
  readonly path: () => string
  readonly aoc: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<CliResult>
  /** Writes a file, as JSON unless it is a text, and gives its name back. */
  readonly write: (name: string, content: unknown) => string
}

/** Makes a new folder before each test of a file, and removes it afterwards. */
export function ownFolder(): OwnFolder {
  let folder = ''
  beforeEach(() => void (folder = scratch()))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return {
    path: () => folder,
    aoc: (args, env = {}) => runCli(args, folder, { env }),
    write(name, content) {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      writeFileSync(join(folder, name), text)
      return name
    },
  }
}

/** A configuration that can be read. */
export const usable = { profile: 'rap-oauth/tool', target: { url: 'http://127.0.0.1:9' } }
