/** A copy of this repository with one protocol more: its folder, and its line in the registry. Nothing else differs. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Addition {
  /** Where the folder of the role stands, from the root of the repository. */
  readonly from: string
  /** `protocol/role`: where it is put below `suites/`. */
  readonly profile: string
  /** What its `profile.ts` exports. */
  readonly name: string
}

/** Makes the copy, builds it, and gives its folder. */
export function houseWith({ from, profile, name }: Addition): string {
  const copy = mkdtempSync(join(tmpdir(), 'aoc-house-'))
  const tracked = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const files = execFileSync('git', tracked, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of files.filter(Boolean)) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  cpSync(join(root, from), join(copy, 'suites', profile), { recursive: true })
  const registry = join(copy, 'suites/registry.ts')
  const registered = readFileSync(registry, 'utf8')
    .replace(/^import \{ /m, `import { ${name} } from './${profile}/profile.ts'\n$&`)
    .replace(/,?\s*\]$/m, `, ${name}]`)
  writeFileSync(registry, registered)
  execFileSync('npm', ['run', 'build'], { cwd: copy, stdio: 'pipe' })
  return copy
}
