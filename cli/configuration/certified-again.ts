/** The configuration of somebody else's certification, for a run against an instance that the relying party chose. */

import type { AnyProfile } from '../../harness/engine/index.ts'
import { certifiedSettings, type RunRecord } from '../../reports/index.ts'
import { isRecord, type UnknownRecord } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { configure, type ConfigureOptions, type Subject } from './configure.ts'
import { readConfigurationFile } from './configuration-file.ts'

/** Says where and with which secrets an instance is reached, what is started, and what is read on the signer's machine. */
export const local: ReadonlySet<string> = new Set([
  'adapter',
  'authority',
  'ca',
  'command',
  'cwd',
  'env',
  'headers',
  'hostname',
  'listen',
  'logs',
  'module',
  'origins',
  'port',
  'redirectUris',
  'secret',
  'storage',
  'stores',
  'tokenStore',
  'url',
])

/** Places of an instance: kept where they are plain paths, whatever they are appended to. */
export const places: ReadonlySet<string> = new Set([
  'begin',
  'complete',
  'endpoint',
  'login',
  'path',
  'prefix',
])
const plainPath = /^(\/(?![/\\])[^\\\s]*)?$/
/** Would put the environment of whoever runs it again into what is sent. */
const ofEnvironment = /\{env\./

/** Whether a setting is somebody's own: of the machine or instance of whoever runs it. */
function isLocal(name: string, value: unknown): boolean {
  if (local.has(name)) return true
  if (Array.isArray(value)) return value.some((each) => holdsLocal(each))
  if (typeof value !== 'string') return false
  return ofEnvironment.test(value) || (places.has(name) && !plainPath.test(value))
}

/** Lists are repeated as a whole or not at all. */
function holdsLocal(value: unknown): boolean {
  if (!isRecord(value)) return isLocal('', value)
  return Object.entries(value).some(([name, each]) => isLocal(name, each) || holdsLocal(each))
}

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
  const subject = await configure(options, { content, base: own.base }).catch(explain)
  requireSame(record, subject)
  return subject
}

/** Something may be missing because a bundle may not say it. */
function explain(error: unknown): never {
  if (!(error instanceof UsageError)) throw error
  throw new UsageError(error.message, [
    ...error.hints,
    'places, headers and secrets come from your options or your --config FILE, never from a bundle',
  ])
}

function portable(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([name, each]) => !isLocal(name, each))
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
  const paths = [...new Set([...certified.keys(), ...here.keys()])]
  const shared = paths.filter((path) => !ownIn(certified, path) && !ownIn(here, path))
  const text = (settings: Settings, path: string): string =>
    JSON.stringify(settings.get(path)) ?? 'the default'
  const other = shared.filter((path) => text(certified, path) !== text(here, path))
  if (other.length === 0) return
  throw new UsageError(
    'this is not the configuration that was certified:',
    other.map(
      (path) => `${path}: certified with ${text(certified, path)}, here ${text(here, path)}`,
    ),
  )
}

type Settings = ReadonlyMap<string, unknown>

function settingsOf(record: RunRecord, profile: AnyProfile): Settings {
  return new Map(Object.entries(certifiedSettings(record, profile)))
}

function ownIn(settings: Settings, path: string): boolean {
  const names = path.split('.')
  return names.some((name) => local.has(name)) || isLocal(names.at(-1) ?? '', settings.get(path))
}
