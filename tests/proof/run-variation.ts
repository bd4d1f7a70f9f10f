/** One run of a profile against its reference implementation, as it is or varied, as a process of its own. */

import { fileURLToPath } from 'node:url'
import { openSession, parseConfiguration, type Finding } from '../../harness/engine/index.ts'
import { profileFolder } from '../profile-folder.ts'
import type { Role, Variation } from './role.ts'

/** Which variation of the reference implementation is run. */
export interface Varied {
  readonly kind: 'defect' | 'oddity'
  readonly row: Variation
  /** What its vendor configures otherwise. */
  readonly configuration?: Variation['configuration']
}

type Settings = Readonly<Record<string, unknown>>

/**
 * Drives and judges the scenarios, each once: what lacks proof may do so by its nature. Without a variation, against the
 * clean implementation.
 */
export async function runVariation(
  role: Role,
  varied: Varied | undefined,
  scenarios: readonly string[],
): Promise<readonly Finding[]> {
  const { profile } = role
  const configuration = parseConfiguration(profile.configuration, configure(role, varied))
  const base = fileURLToPath(new URL('.', import.meta.url))
  const session = await openSession(profile, { configuration, base, scenarios, again: false })
  try {
    const findings = await Promise.all(scenarios.map((id) => session.judge(id)))
    if (session.failures.length > 0) {
      throw new Error(`the harness failed: ${JSON.stringify(session.failures)}`)
    }
    return findings.flat()
  } finally {
    await session.close()
  }
}

function configure({ profile, settings }: Role, varied: Varied | undefined): Settings {
  const name = varied ? 'varied' : 'main'
  const command = settings.programs?.[name] ?? nodeProgram(profile.id, name)
  const chosen = varied && { [varied.kind.toUpperCase()]: varied.row.id }
  return [
    settings.configuration,
    { target: { env: { ...varied?.row.env, ...chosen } } },
    varied?.configuration ?? {},
    { target: { command } },
  ].reduce(merge, { profile: profile.id, ...profile.reference.settings() })
}

function nodeProgram(profile: string, name: string): readonly string[] {
  const folder = `../../dist/suites/${profileFolder(profile)}/reference/`
  return [process.execPath, fileURLToPath(new URL(`${folder}${name}.js`, import.meta.url))]
}

/** Objects are merged, what is undefined is taken away, everything else is replaced. */
function merge(base: Settings, over: Settings): Settings {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = base[key]
    return [key, isSettings(below) && isSettings(value) ? merge(below, value) : value] as const
  })
  const all = Object.entries({ ...base, ...Object.fromEntries(merged) })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
