/** The options of `run` that set something in the configuration, as one table. */

import { isAbsolute, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { messageOf, recordOf, type UnknownRecord } from './unknown.ts'

/** What an option writes, and where. */
interface Override {
  /** Heading under which `--help` shows it. */
  readonly group: string
  readonly flags: string
  readonly help: string
  /** Path in the configuration. */
  readonly path: readonly string[]
  /** From the text of the command line to the value of the configuration. */
  readonly read: (text: string, previous: unknown) => unknown
}

const text = (value: string): string => value

/** Relative to where the command was given; a placeholder stays. */
const path = (value: string): string =>
  isAbsolute(value) || value.startsWith('{') ? value : resolve(value)

const several =
  (read: (value: string) => string) =>
  (value: string, previous: unknown): readonly unknown[] => [
    ...(Array.isArray(previous) ? previous : []),
    read(value),
  ]

function whole(value: string): number {
  if (/^\d+$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Expected a whole number.')
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

/** Headings of `aoc run --help`, in this order. */
export const groups = {
  subject: 'What is certified:',
  provider: 'The OAuth provider that it meets:',
  declared: 'What its vendor declares:',
  judging: 'How it is judged:',
  output: 'Output:',
} as const

export const overrides: readonly Override[] = [
  {
    group: groups.subject,
    flags: '--profile <id>',
    help: 'what to certify',
    path: ['profile'],
    read: text,
  },
  {
    group: groups.subject,
    flags: '--url <url>',
    help: 'base URL of an implementation that runs already',
    path: ['target', 'url'],
    read: text,
  },
  {
    group: groups.subject,
    flags: '--name <name>',
    help: 'name of the implementation, for reports',
    path: ['implementation', 'name'],
    read: text,
  },
  {
    group: groups.subject,
    flags: '--implementation-version <version>',
    help: 'its version, for reports',
    path: ['implementation', 'version'],
    read: text,
  },
  {
    group: groups.subject,
    flags: '--endpoint <url>',
    help: 'where to invoke it, if its manifest says something else',
    path: ['target', 'endpoint'],
    read: text,
  },
  {
    group: groups.subject,
    flags: '--header <header>',
    help: "header for invocations, 'Name: value' with {env.NAME} for secrets; repeatable",
    path: ['target', 'headers'],
    read: header,
  },
  {
    group: groups.subject,
    flags: '--ca <file>',
    help: 'PEM file of the authority behind an https --url',
    path: ['target', 'ca'],
    read: path,
  },
  {
    group: groups.provider,
    flags: '--client-id <id>',
    help: 'OAuth client that it is configured with',
    path: ['provider', 'client', 'id'],
    read: text,
  },
  {
    group: groups.provider,
    flags: '--client-secret-env <name>',
    help: 'environment variable with the secret of that client',
    path: ['provider', 'client', 'secret'],
    read: environment,
  },
  {
    group: groups.provider,
    flags: '--provider-port <number>',
    help: 'port of the mock provider',
    path: ['provider', 'port'],
    read: whole,
  },
  {
    group: groups.provider,
    flags: '--authority <dir>',
    help: 'keep the certificate authority of the mock provider here',
    path: ['provider', 'authority'],
    read: path,
  },
  {
    group: groups.declared,
    flags: '--operation <name>',
    help: 'an operation that needs authorization',
    path: ['operation', 'name'],
    read: text,
  },
  {
    group: groups.declared,
    flags: '--arguments <json>',
    help: 'its arguments',
    path: ['operation', 'arguments'],
    read: json,
  },
  {
    group: groups.declared,
    flags: '--scopes <scopes>',
    help: 'the scopes that it needs, no more; separated by blanks or commas',
    path: ['operation', 'scopes'],
    read: (value) => value.split(/[\s,]+/).filter(Boolean),
  },
  {
    group: groups.declared,
    flags: '--pending-timeout <duration>',
    help: 'after how long it gives up on an abandoned authorization, for example 10s',
    path: ['declares', 'pendingTimeout'],
    read: text,
  },
  {
    group: groups.declared,
    flags: '--token-store <path>',
    help: 'file or folder in which it keeps tokens; repeatable',
    path: ['declares', 'tokenStore'],
    read: several(path),
  },
  {
    group: groups.declared,
    flags: '--log-file <path>',
    help: 'log file that it writes; repeatable',
    path: ['declares', 'logs'],
    read: several(path),
  },
  {
    group: groups.judging,
    flags: '--observe <duration>',
    help: 'how long to watch for what must not happen',
    path: ['timing', 'observe'],
    read: text,
  },
  {
    group: groups.judging,
    flags: '--max-wait <duration>',
    help: 'the longest that the run waits for anything',
    path: ['timing', 'maxWait'],
    read: text,
  },
]

/** The options for commander. */
export function overrideOptions(): Option[] {
  return overrides.map(({ group, flags, help, read }) =>
    new Option(flags, help).argParser(read).helpGroup(group),
  )
}

/** The configuration with what the command line gave written over it. */
export function applyOverrides(content: UnknownRecord, options: UnknownRecord): UnknownRecord {
  let result: UnknownRecord = { ...content }
  for (const override of overrides) {
    const value = options[nameOf(override)]
    if (value !== undefined) result = written(result, override.path, value)
  }
  return options['strict'] === true ? { ...result, strict: true } : result
}

/** The option that set this part of the configuration, for error messages. */
export function optionFor(path: string, options: UnknownRecord): string | undefined {
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
