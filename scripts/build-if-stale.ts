/** Builds `dist/` unless it is newer than everything that it is made of: a pipeline builds once. */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as {
  readonly include: readonly string[]
}
const sources = [...include, 'tsconfig.json', 'tsconfig.build.json', 'package.json']
// With noEmitOnError a build that failed has left nothing.
const built = join(root, 'dist/index.js')
const isFresh =
  existsSync(built) &&
  Math.max(...sources.map((path) => newest(join(root, path)))) < statSync(built).mtimeMs
if (!isFresh) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })

/** Of a folder its own time counts, too: it changes where a file goes. */
function newest(path: string): number {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
