/** The part of a configuration that every profile shares; a profile extends it with what it declares. */

import { z } from 'zod'
import type { Timing } from './scenario.ts'
import { shortestSecret } from './secrets/encodings.ts'

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

const origin = z
  .url()
  .refine(
    (value) => new URL(value).origin === value,
    'expected an origin such as "https://tool.example"',
  )

export const targetSchema = z
  .strictObject({
    url: z
      .string()
      .default('http://127.0.0.1:{port}')
      .describe('Base URL of the implementation. {port} is a free port, chosen for each start.'),
    command: z
      .array(z.string())
      .min(1)
      .optional()
      .describe(
        'Program and arguments that start it; no shell. Without it, it must be running already.',
      ),
    cwd: z
      .string()
      .optional()
      .describe('Working directory of the command; default: the folder of the configuration file.'),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe(
        'Environment of the command, with placeholders such as {port} or {provider.issuer}.',
      ),
    module: z
      .string()
      .optional()
      .describe('A module that exports a fetch handler, run inside this process without any port.'),
    endpoint: z
      .string()
      .optional()
      .describe(
        'Where to invoke it, absolute or relative to url, if the endpoint in its manifest cannot be reached from here.',
      ),
    headers: z
      .record(z.string(), z.string())
      .default({})
      .describe('Headers for invocations, for example {"authorization": "Bearer {env.TOOL_KEY}"}.'),
    origins: z
      .record(origin, origin)
      .default({})
      .describe('Public origin → origin under which it is reached from here.'),
    ca: z
      .string()
      .optional()
      .describe('PEM file of the authority that signed the certificate of an https target.'),
    readyTimeout: duration
      .default(15_000)
      .describe('How long it may take until it answers at all.'),
    stopTimeout: duration.default(2_000).describe('How long it may take to end after SIGTERM.'),
  })
  .refine((target) => !(target.command && target.module), 'give either command or module, not both')
  .refine(
    (target) => target.command || target.module || !target.url.includes('{port}'),
    'a target without command or module needs a url without {port}',
  )

export const providerSchema = z.strictObject({
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe('Port of the mock provider; 0 takes a free one.'),
  authority: z
    .string()
    .optional()
    .describe(
      'Folder of a certificate authority that is kept between runs (made if missing); default: a new one for each run.',
    ),
  client: z
    .strictObject({
      id: z.string().min(1).default('conformance-client'),
      secret: z
        .string()
        .min(
          shortestSecret,
          `expected at least ${shortestSecret} characters, so that a leak can be proven`,
        )
        .optional()
        .describe('Default: a random one where the harness starts the implementation.'),
      auth: z
        .array(z.enum(['client_secret_basic', 'client_secret_post', 'none']))
        .min(1)
        .optional()
        .describe('How it authenticates at the token endpoint; default: basic or post.'),
      redirectUris: z
        .array(z.string())
        .min(1)
        .optional()
        .describe(
          'Registered redirect URIs; default: the first one that is seen at the origin of the implementation.',
        ),
      pkce: z.enum(['S256', 'plain', 'optional']).default('optional'),
    })
    .prefault({}),
  redirectMatching: z
    .enum(['exact', 'ignore-query'])
    .default('exact')
    .describe('RFC 9700 §2.1 demands exact matching; ignore-query relaxes just this rule.'),
  scopes: z
    .array(z.string())
    .default(['openid', 'profile', 'email', 'offline_access', 'items:read', 'items:write']),
  tokenFormat: z.enum(['opaque', 'jwt']).default('opaque'),
  resources: z
    .array(
      z.strictObject({ method: z.string(), path: z.string().startsWith('/'), scope: z.string() }),
    )
    .default([])
    .describe('Further routes of the protected API below {resource.url}.'),
})

export const timingSchema = z.strictObject({
  ack: duration.default(2_000).describe('What "immediately" means for an acknowledgement.'),
  step: duration.default(5_000).describe('How long one expected message or answer may take.'),
  observe: duration.default(1_000).describe('How long is watched for what must not happen.'),
  maxWait: duration
    .default(30_000)
    .describe('The longest that the run waits for anything, declared timeouts included.'),
  grace: duration
    .default(5_000)
    .describe(
      'Added to a declared timeout before it counts as exceeded; a busy machine is late, too.',
    ),
  concurrency: z.number().int().min(1).default(8).describe('Scenarios that act at the same time.'),
})

export const commonSchema = z.strictObject({
  $schema: z.string().optional(),
  profile: z.string(),
  implementation: z
    .strictObject({ name: z.string().min(1), version: z.string().optional() })
    .default({ name: 'unnamed implementation' }),
  target: targetSchema,
  provider: providerSchema.prefault({}),
  timing: timingSchema.prefault({}),
  strict: z.boolean().default(false).describe('Let a broken best-practice MUST fail the run.'),
})

/** A profile whose implementations meet no OAuth provider leaves `provider` out. */
export type CommonConfiguration = Omit<z.infer<typeof commonSchema>, 'provider'> & {
  readonly provider?: ProviderConfiguration
}
export type TargetConfiguration = z.infer<typeof targetSchema>
export type ProviderConfiguration = z.infer<typeof providerSchema>

/** The durations as checks know them. */
export function timingOf({ timing }: CommonConfiguration): Timing {
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
  readonly code = 'invalid_configuration'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigurationError'
    this.problems = problems
  }
}

/** Validates a configuration. @throws {@link ConfigurationError} */
export function parseConfiguration<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new ConfigurationError(parsed.error.issues.flatMap((issue) => describeIssue(issue, input)))
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...issue.path, key].join('.')}: there is no such setting`)
  }
  const path = issue.path.map(String).join('.') || '(the whole configuration)'
  const found = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  )
  const shown = shownValue(found, path)
  return [
    `${path}: ${issue.message} (found ${shown.length > 120 ? `${shown.slice(0, 120)}…` : shown})`,
  ]
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
