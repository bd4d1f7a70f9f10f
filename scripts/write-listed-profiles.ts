/** Leaves what `aoc list` shows in `dist/`, of the profiles that were built. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listed, listedProfilesFile } from '../cli/input/listed-profiles.ts'
import type { AnyProfile } from '../harness/engine/index.ts'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const { profiles } = (await import(join(dist, 'suites/registry.js'))) as {
  readonly profiles: readonly AnyProfile[]
}
writeFileSync(join(dist, 'cli/input', listedProfilesFile), `${JSON.stringify(listed(profiles))}\n`)
