/** Resolves what is to be certified: a file, options, or the embedded default; validated. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  ConfigurationError,
  parseConfiguration,
  type AnyProfile,
} from '../../harness/engine/index.ts'
import type { CommonConfiguration } from '../../harness/parties/index.ts'
import { profiles } from '../../suites/registry.ts'
import { readConfigurationFile, type ConfigurationFile } from './configuration-file.ts'
import { embeddedConfiguration } from './embedded.ts'
import { applyOverrides, optionFor, overridesOf } from './overrides.ts'
import { profileNamed } from '../input/profile-named.ts'
import { suggest } from '../input/suggest.ts'
import { isRecord } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'

/** Options of the command line that decide about the configuration. */
export interface ConfigureOptions {
  readonly config?: string
  readonly url?: string
  readonly [option: string]: unknown
}

export interface Subject {
  readonly profile: AnyProfile
  readonly configuration: CommonConfiguration
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** Whether it is the reference implementation of this package. */
  readonly embedded: boolean
}

/** What to certify, and how; `start` stands for the file that options are written over. @throws {@link UsageError} */
export async function configure(
  options: ConfigureOptions,
  start?: ConfigurationFile,
): Promise<Subject> {
  const embedded = options.config === undefined && options.url === undefined
  const { content, base } = start ?? (await startingPoint(options))
  const overrides = overridesOf(profiles)
  const input = applyOverrides(content, options, overrides)
  const profile = findProfile(input['profile'], options.config)
  try {
    const configuration = parseConfiguration<CommonConfiguration>(profile.configuration, input)
    const problems = unusable(configuration, base)
    if (problems.length > 0) throw new ConfigurationError(problems)
    return { profile, configuration, base, embedded }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw invalid(error, options, profile)
  }
}

async function startingPoint(options: ConfigureOptions) {
  const { config, url } = options
  if (config !== undefined) return readConfigurationFile(config)
  const [first] = profiles
  if (url === undefined) {
    const wanted = options['profile'] === undefined ? first : findProfile(options['profile'])
    return { content: wanted ? embeddedConfiguration(wanted) : {}, base: process.cwd() }
  }
  // What is certified where nothing else is said; `--profile` is an option as every other, and is written over it.
  return { content: first ? { profile: first.id } : {}, base: process.cwd() }
}

/** Finds a profile of the registry. @throws {@link UsageError} */
export function findProfile(id: unknown, file?: string): AnyProfile {
  return profileNamed(id, profiles, file)
}

/** What the schema cannot see: files that are not there, variables that are not set. */
function unusable({ target }: CommonConfiguration, base: string): string[] {
  const files = { 'target.ca': target.ca, 'target.module': target.module, 'target.cwd': target.cwd }
  const missing = Object.entries(files)
    .filter(([, file]) => file !== undefined && !existsSync(resolve(base, file)))
    .map(
      ([path, file]) => `${path}: there is no such file or folder (found ${JSON.stringify(file)})`,
    )
  const templates = [
    ...Object.entries(target.headers).map(
      ([name, value]) => [`target.headers.${name}`, value] as const,
    ),
    ...Object.entries(target.env).map(([name, value]) => [`target.env.${name}`, value] as const),
    ...(target.command ?? []).map((value, index) => [`target.command.${index}`, value] as const),
  ]
  const unset = templates.flatMap(([path, template]) =>
    [...template.matchAll(/\{env\.(\w+)\}/g)]
      .filter(([, name = '']) => process.env[name] === undefined)
      .map(
        ([found, name]) =>
          `${path}: the environment variable ${name} is not set (found "${found}")`,
      ),
  )
  return [...missing, ...unset]
}

/** Settings whose value is not repeated in a message. */
const confidential = /^provider\.client\.secret|^target\.headers\./

function invalid(
  { problems }: ConfigurationError,
  options: ConfigureOptions,
  profile: AnyProfile,
): UsageError {
  const names = settingNames(z.toJSONSchema(profile.configuration, schemaOptions))
  const lines = problems.map((problem) => {
    const path = problem.split(':')[0] ?? ''
    const option = optionFor(path, options, overridesOf([profile]))
    const shown = confidential.test(path) ? problem.replace(/ \(found .*\)$/, '') : problem
    const near = shown.endsWith('no such setting')
      ? suggest(path.split('.').at(-1) ?? '', names)
      : []
    const meant = near.length > 0 ? `, did you mean ${near.join(' or ')}?` : ''
    return `  ${shown}${meant}${option ? `, from ${option}` : ''}`
  })
  const source = options.config ?? 'the options'
  return new UsageError(`invalid configuration in ${source}:\n${lines.join('\n')}`, [
    'aoc init writes a configuration in which every setting is explained',
  ])
}

const schemaOptions = { io: 'input', unrepresentable: 'any' } as const

/** The names of all settings, wherever they stand. */
function settingNames(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(settingNames)
  if (!isRecord(schema)) return []
  const own = isRecord(schema['properties']) ? Object.keys(schema['properties']) : []
  return [...new Set([...own, ...Object.values(schema).flatMap(settingNames)])]
}
