/** The configuration of somebody else's certification, for a run against an instance that the relying party chose. */

import type { AnyProfile } from '../../harness/engine/index.ts'
import { certifiedSettings, type RunRecord } from '../../reports/index.ts'
import { isRecord, type UnknownRecord } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { configure, type ConfigureOptions, type Subject } from './configure.ts'
import { readConfigurationFile } from './configuration-file.ts'

/** Says where and with which secrets an instance is reached, what is started, and what is read on the signer's machine. */
const local = new Set([
  'adapter',
  'authority',
  'ca',
  'command',
  'cwd',
  'env',
  'headers',
  'listen',
  'logs',
  'module',
  'port',
  'redirectUris',
  'secret',
  'storage',
  'tokenStore',
  'url',
])

/**
 * What was certified, at another place: nothing that the bundle names is started or read; options and a configuration
 * file of the relying party say where its instance is. @throws {@link UsageError} where they ask for something else
 */
export async function certifiedAgain(
  record: RunRecord,
  options: ConfigureOptions,
): Promise<Subject> {
  const { config } = options
  const own =
    config === undefined
      ? { content: {}, base: process.cwd() }
      : await readConfigurationFile(config)
  const content = merged(portable(record.configuration) as UnknownRecord, own.content)
  const subject = await configure(options, { content, base: own.base })
  requireSame(record, subject)
  return subject
}

function portable(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([name]) => !local.has(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, portable(each)]))
}

function merged(below: UnknownRecord, above: UnknownRecord): UnknownRecord {
  const both = Object.entries(above).map(([name, value]) => {
    const under = below[name]
    return [name, isRecord(value) && isRecord(under) ? merged(under, value) : value] as const
  })
  return { ...below, ...Object.fromEntries(both) }
}

function requireSame(record: RunRecord, { profile, configuration }: Subject): void {
  const certified = settingsOf(record, profile)
  const here = settingsOf({ ...record, configuration: { ...configuration } }, profile)
  const other = [...new Set([...certified.keys(), ...here.keys()])].filter(
    (path) => certified.get(path) !== here.get(path),
  )
  if (other.length === 0) return
  throw new UsageError(
    'this is not the configuration that was certified:',
    other.map(
      (path) =>
        `${path}: certified with ${certified.get(path) ?? 'the default'}, here ${here.get(path) ?? 'the default'}`,
    ),
  )
}

function settingsOf(record: RunRecord, profile: AnyProfile): Map<string, string> {
  const shown = Object.entries(certifiedSettings(record, profile))
  return new Map(
    shown
      .filter(([path]) => !path.split('.').some((name) => local.has(name)))
      .map(([path, value]) => [path, JSON.stringify(value)] as const),
  )
}
