/** The options of `run` that set something in the configuration: read from what the profiles declare of their settings. */

import { isAbsolute, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import type { AnyProfile } from '../../harness/engine/index.ts'
import { groups } from './option-groups.ts'
import { messageOf, recordOf, type UnknownRecord } from '../input/unknown.ts'

/** What an option writes, and where. */
export interface Override {
  readonly flags: string
  readonly help: string
  /** Path in the configuration. */
  readonly path: readonly string[]
  /** How its text is read: a name in {@link readers}. */
  readonly reads: string
}

/** The heading for a setting, by the first part of its path; whatever a profile adds is declared. */
const groupOf: Readonly<Record<string, string>> = {
  profile: groups.subject,
  implementation: groups.subject,
  target: groups.subject,
  provider: groups.provider,
  timing: groups.judging,
}

/** Relative to where the command was given; a placeholder stays. */
const path = (value: string): string =>
  isAbsolute(value) || value.startsWith('{') ? value : resolve(value)

/** From the text of the command line, and what the option was given before, to the value of the configuration. */
const readers: Readonly<Record<string, (text: string, previous: unknown) => unknown>> = {
  text: (value) => value,
  path,
  paths: (value, previous) => [...(Array.isArray(previous) ? previous : []), path(value)],
  words: (value) => value.split(/[\s,]+/).filter(Boolean),
  json,
  headers: header,
  environment,
  'whole number': whole,
  'yes or no': yesOrNo,
}

function whole(value: string): number {
  if (/^\d+$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Expected a whole number.')
}

function yesOrNo(value: string): boolean {
  if (value === 'yes' || value === 'no') return value === 'yes'
  throw new InvalidArgumentError('Expected yes or no.')
}

function header(value: string, previous: unknown): UnknownRecord {
  const [, name, content] = /^([!#$%&'*+.^`|~\w-]+):\s*(.*)$/.exec(value) ?? []
  if (name === undefined || content === undefined) {
    throw new InvalidArgumentError(
      "Expected 'Name: value', for example 'Authorization: Bearer {env.TOOL_KEY}'.",
    )
  }
  return { ...recordOf(previous), [name.toLowerCase()]: content }
}

function json(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new InvalidArgumentError(`Expected JSON: ${messageOf(error)}.`)
  }
}

function environment(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new InvalidArgumentError(`The environment variable ${name} is not set.`)
}

const profileOption: Override = {
  flags: '--profile <id>',
  help: 'what to certify (see: aoc list profiles)',
  path: ['profile'],
  reads: 'text',
}

/** Every setting with an option of its own; profiles that share a setting share its option. */
export function overridesOf(profiles: readonly AnyProfile[]): readonly Override[] {
  const found = profiles.flatMap(({ configuration }) =>
    settingsIn(z.toJSONSchema(configuration, { io: 'input', unrepresentable: 'any' })),
  )
  const byFlag = new Map([profileOption, ...found].map((each) => [each.flags, each] as const))
  const order = Object.values(groups) as readonly string[]
  return [...byFlag.values()].sort((a, b) => order.indexOf(heading(a)) - order.indexOf(heading(b)))
}

function settingsIn(schema: unknown, at: readonly string[] = []): Override[] {
  return Object.entries(recordOf(recordOf(schema)['properties'])).flatMap(([key, value]) => {
    const member = recordOf(value)
    const { flag, help, description, reads } = member
    const where = [...at, key]
    const own: Override[] =
      typeof flag === 'string'
        ? [
            {
              flags: flag,
              help: textOf(help ?? description) ?? '',
              path: where,
              reads: textOf(reads) ?? 'text',
            },
          ]
        : []
    return [...own, ...settingsIn(member, where)]
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function heading({ path: [first = ''] }: Override): string {
  return groupOf[first] ?? groups.declared
}

/** The options for commander. */
export function overrideOptions(overrides: readonly Override[]): Option[] {
  return overrides.map((override) =>
    new Option(override.flags, override.help)
      .argParser(readers[override.reads] ?? readers['text']!)
      .helpGroup(heading(override)),
  )
}

/** The configuration with what the command line gave written over it. */
export function applyOverrides(
  content: UnknownRecord,
  options: UnknownRecord,
  overrides: readonly Override[],
): UnknownRecord {
  let result: UnknownRecord = { ...content }
  for (const override of overrides) {
    const value = options[nameOf(override)]
    if (value !== undefined) result = written(result, override.path, value)
  }
  return options['strict'] === true ? { ...result, strict: true } : result
}

/** The option that set this part of the configuration, for error messages. */
export function optionFor(
  path: string,
  options: UnknownRecord,
  overrides: readonly Override[],
): string | undefined {
  const found = overrides.find(
    (each) =>
      options[nameOf(each)] !== undefined && `${path}.`.startsWith(`${each.path.join('.')}.`),
  )
  return found?.flags.split(' ')[0]
}

function nameOf({ flags }: Override): string {
  return new Option(flags).attributeName()
}

function written(
  object: UnknownRecord,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): UnknownRecord {
  if (rest.length === 0) {
    const merged = key === 'headers' ? { ...recordOf(object[key]), ...recordOf(value) } : value
    return { ...object, [key]: merged }
  }
  return { ...object, [key]: written(recordOf(object[key]), rest, value) }
}
