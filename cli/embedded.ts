/** The configurations that certify the reference implementations of this package, in processes of their own. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conformance as runtime } from '../reference/rap-runtime/conformance.ts'
import { conformance as tool } from '../reference/rap-tool/conformance.ts'
import { packageInfo } from './package-info.ts'

const references = {
  'rap-oauth/tool': { name: 'reference RAP tool', folder: 'rap-tool', settings: tool },
  'rap-oauth/runtime': { name: 'reference RAP runtime', folder: 'rap-runtime', settings: runtime },
}

/** What `run` certifies without --config and --url: the reference implementation of the profile. */
export function embeddedConfiguration(wanted: unknown): Record<string, unknown> {
  const profile = wanted === 'rap-oauth/runtime' ? wanted : 'rap-oauth/tool'
  const { name, folder, settings } = references[profile]
  return {
    profile,
    implementation: { name, version: packageInfo.version },
    ...settings,
    target: { ...settings.target, command: [process.execPath, ...start(folder)] },
  }
}

/** Arguments of node that start it: compiled beside this module, or from its source through jiti. */
function start(name: string): string[] {
  const folder = fileURLToPath(new URL(`../reference/${name}/`, import.meta.url))
  const compiled = join(folder, 'main.js')
  if (existsSync(compiled)) return [compiled]
  return ['--import', import.meta.resolve('jiti/register'), join(folder, 'main.ts')]
}
