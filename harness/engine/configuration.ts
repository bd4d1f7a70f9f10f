/** What every profile is configured with, whatever it certifies, and how a configuration is validated. */

import { z } from 'zod'
import { inPlainWords } from './plain-issue.ts'
import type { Timing } from './scenario.ts'

declare module 'zod' {
  /** What a setting may say of itself beside its description. */
  interface GlobalMeta {
    /** Option of the command line that sets it, for example `--observe <duration>`. */
    flag?: string
    /** What `--help` says of that option, where it is not the description. */
    help?: string
    /** How the text of that option is read; default: as it is. */
    reads?:
      'path' | 'paths' | 'words' | 'json' | 'headers' | 'environment' | 'whole number' | 'yes or no'
    /** A value to show where there is no default. */
    example?: unknown
  }
}

const durationForms = 'expected milliseconds or a text like "500ms", "10s", "5m", "1h"'

/** Milliseconds, or a text such as `500ms`, `10s`, `5m`, `1h`. */
export const duration = z
  .union(
    [z.number().int().nonnegative(), z.string().regex(/^\d+(\.\d+)?(ms|s|m|h)$/, durationForms)],
    { error: durationForms },
  )
  .transform((value) => {
    if (typeof value === 'number') return value
    const [, amount = '0', unit = 'ms'] = /^([\d.]+)(ms|s|m|h)$/.exec(value) ?? []
    return Math.round(Number(amount) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as 'ms'])
  })

/** The durations of a run, in milliseconds once parsed. */
export const timingSchema = z.strictObject({
  ack: duration.default(2_000).describe('What "immediately" means for an acknowledgement.'),
  step: duration.default(5_000).describe('How long one expected message or answer may take.'),
  observe: duration
    .default(1_000)
    .describe('How long the run watches for things that must not happen.')
    .meta({
      flag: '--observe <duration>',
      help: 'how long to watch for things that must not happen',
    }),
  maxWait: duration
    .default(30_000)
    .describe('The longest time that the run waits for anything, including declared timeouts.')
    .meta({
      flag: '--max-wait <duration>',
      help: 'the longest time that the run waits for anything',
    }),
  grace: duration
    .default(5_000)
    .describe(
      'Extra time before a declared timeout counts as exceeded, because a busy machine is slow.',
    ),
  concurrency: z
    .number()
    .int()
    .min(1)
    .default(8)
    .describe(
      'Scenarios that act at the same time. With 1, each begins when the one before has ended: for an implementation that does one thing at a time.',
    ),
})

/** What every configuration holds, whatever it certifies. */
export const baseSchema = z.strictObject({
  $schema: z.string().optional(),
  profile: z.string(),
  implementation: z
    .strictObject({
      name: z
        .string()
        .min(1)
        .meta({ flag: '--name <name>', help: 'name of the implementation, for reports' }),
      version: z
        .string()
        .optional()
        .meta({ flag: '--implementation-version <version>', help: 'its version, for reports' }),
    })
    .default({ name: 'unnamed implementation' }),
  timing: timingSchema.prefault({}),
  strict: z.boolean().default(false).describe('Let a broken best-practice MUST fail the run.'),
})

/** The configuration of any profile, as far as the engine reads it. */
export type BaseConfiguration = z.infer<typeof baseSchema>

/** The durations as checks know them. */
export function timingOf({ timing }: BaseConfiguration): Timing {
  return {
    ackMs: timing.ack,
    stepMs: timing.step,
    observeMs: timing.observe,
    maxWaitMs: timing.maxWait,
    graceMs: timing.grace,
  }
}

/** A configuration that cannot be used; one line per problem: path, what was found, what was expected. */
export class ConfigurationError extends Error {
  readonly code: string = 'invalid_configuration'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigurationError'
    this.problems = problems
  }
}

/** Validates a configuration. @throws {@link ConfigurationError} */
export function parseConfiguration<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input, { error: inPlainWords })
  if (parsed.success) return parsed.data
  throw new ConfigurationError(problemsWith(parsed.error, input))
}

/** A line for each thing that is wrong with a value: where, what was expected, what was found. */
export function problemsWith(
  error: z.ZodError,
  input: unknown,
  whole = '(the whole configuration)',
): string[] {
  return error.issues.flatMap((issue) => describeIssue(issue, input, whole))
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown, whole: string): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...issue.path, key].join('.')}: there is no such setting`)
  }
  const meant = issue.code === 'invalid_union' ? closestOf(issue, input) : []
  if (meant.length > 0) return meant.flatMap((each) => describeIssue(each, input, whole))
  const path = issue.path.map(String).join('.') || whole
  const shown = shownValue(valueAt(input, issue.path), path)
  return [
    `${path}: ${issue.message} (found ${shown.length > 120 ? `${shown.slice(0, 120)}…` : shown})`,
  ]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  )
}

/**
 * What is wrong with a value by the form that it comes closest to: in which least of what is there is wrong, whatever is
 * missing. Nothing where it is of another kind than each.
 */
function closestOf(
  { errors, message, path }: z.core.$ZodIssueInvalidUnion,
  input: unknown,
): z.core.$ZodIssue[] {
  // A union that says itself what it expects says it better.
  if (message !== 'Invalid input') return []
  const forms = errors
    .filter((issues) => issues.every(isWithin))
    .map((issues) => issues.map((each) => ({ ...each, path: [...path, ...each.path] })))
  const wrongIn = (issues: readonly z.core.$ZodIssue[]): number =>
    issues.filter((each) => valueAt(input, each.path) !== undefined).length
  return forms.toSorted((a, b) => wrongIn(a) - wrongIn(b))[0] ?? []
}

function isWithin({ code, path }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === 'unrecognized_keys'
}

/** What was found, unless it may be a secret: those lines end up in the logs of continuous integration. */
function shownValue(found: unknown, path: string): string {
  if (found === undefined) return 'nothing'
  if (Array.isArray(found)) return found.length === 0 ? '[]' : 'a list'
  if (typeof found === 'object' && found !== null) {
    return Object.keys(found).length === 0 ? '{}' : 'an object'
  }
  if (typeof found !== 'string')
    return typeof found === 'number' || typeof found === 'boolean'
      ? `${found}`
      : `a ${typeof found}`
  return /secret|header|env/i.test(path) ? 'a text' : JSON.stringify(found)
}
