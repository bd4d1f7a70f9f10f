/** Says by a digest which code drove and judged a run: two versions of a check can carry the same title. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from './catalogue.ts'

/** The folders that decide how an implementation is driven, recorded and judged. */
const folders = ['harness', 'mock-model', 'mock-provider', 'suites']
/** What is proven with them, and what proves it, decides nothing. */
const beside = /(^|\/)(reference[^/]*|proof|fixtures|docs)\/|\.(test|suite)\.ts$|(^|\/)testing\.ts$/

/** Where the build leaves the digest, since a published package has no sources. */
export const judgingCodeFile = 'judging-code.json'

const root = fileURLToPath(new URL('../..', import.meta.url))
let known: string | undefined

/** `sha256:<hex>` over the sources that drive and judge, as they are here or were when this package was built. */
export function judgingCode(): string {
  const built = join(root, judgingCodeFile)
  known ??= existsSync(built)
    ? (JSON.parse(readFileSync(built, 'utf8')) as string)
    : digestJudgingCode(root)
  return known
}

/** The same, from the sources below a folder: their paths and their contents, in the order of the paths. */
export function digestJudgingCode(folder: string): string {
  const names = folders.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
      .map((path) => path.replace(/^\//, ''))
      .filter((path) => !beside.test(path)),
  )
  const digests = names.sort().map((name) => `${name} ${sha256(readFileSync(join(folder, name)))}`)
  return sha256(digests.join('\n'))
}
