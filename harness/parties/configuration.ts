/** The part of a configuration that every profile shares; a profile extends it with what it declares. */

import { z } from 'zod'
import { baseSchema, duration } from '../engine/configuration.ts'
import { shortestSecret } from '../engine/recording/secrets/encodings.ts'
import type { PresetName } from '../../mock-provider/index.ts'

const origin = z
  .url()
  .refine(
    (value) => new URL(value).origin === value,
    'expected an origin such as "https://tool.example"',
  )

/** What other placeholders stand for is not known yet. */
function isWebAddress(template: string): boolean {
  const url = template.replaceAll('{port}', '1')
  return url.includes('{') || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
}

/** The settings of the implementation under test. */
export const targetSchema = z
  .strictObject({
    url: z
      .string()
      .refine(isWebAddress, 'expected an address such as "http://127.0.0.1:8080"')
      .default('http://127.0.0.1:{port}')
      .describe('Base URL of the implementation. {port} is a free port, chosen for each start.')
      .meta({ flag: '--url <url>', help: 'base URL of an implementation that runs already' }),
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
      .describe('Working directory of the command; default: the folder of the configuration file.')
      .meta({ example: '..' }),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Environment of the command, with placeholders such as {port}.'),
    module: z
      .string()
      .optional()
      .describe('A module that exports a fetch handler, run inside this process without any port.')
      .meta({ example: './handler.js' }),
    headers: z
      .record(z.string(), z.string())
      .default({})
      .describe('Headers that it demands, for example {"authorization": "Bearer {env.API_KEY}"}.')
      .meta({
        flag: '--header <header>',
        reads: 'headers',
        help: "header that it demands, 'Name: value' with {env.NAME} for secrets; repeatable",
      }),
    origins: z
      .record(origin, origin)
      .default({})
      .describe('Public origin → origin under which it is reached from here.'),
    ca: z
      .string()
      .optional()
      .describe('PEM file of the authority that signed the certificate of an https target.')
      .meta({
        flag: '--ca <file>',
        reads: 'path',
        help: 'PEM file of the authority behind an https --url',
        example: './ca.pem',
      }),
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

/** For profiles that have scenarios about time. */
export const clock = z
  .enum(['real', 'jump'])
  .default('real')
  .describe(
    'How time passes in scenarios about it: really, or by moving the clock of an instance of their own together with that of its provider (libfaketime, Linux).',
  )
  .meta({
    flag: '--clock <real|jump>',
    help: 'whether scenarios about time wait, or move the clock of an instance of their own',
  })

interface Timed {
  readonly clock: 'real' | 'jump'
  readonly command?: readonly string[] | undefined
  readonly url: string
}

/** A clock is moved where instances are started, and can stand beside each other. */
export const canBeMoved = ({ clock: by, command, url }: Timed): boolean =>
  by === 'real' || (command !== undefined && url.includes('{port}'))

/** What is said where it cannot be moved. */
export const onlyMoved = {
  path: ['clock'],
  message:
    'jump needs a command and {port} in url, because scenarios about time run on an instance of their own',
}

/** RFC 1123 §2.1, of two labels and more; the last one has a letter, so that it is no address. */
const hostName =
  /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?=[a-z\d-]*[a-z])[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

const oneHostName = z
  .string()
  .regex(hostName, 'expected a host name in lower case, such as provider.test, and no address')

/** Where an implementation that resolves names in another way is led to, nothing real may be told. */
const fake = /fake/i

/** The names of all presets, which are not loaded for them. */
export const presetNames = [
  'atlassian',
  'auth0',
  'entra',
  'figma',
  'github',
  'google',
  'keycloak',
  'linear',
  'notion',
  'salesforce',
  'slack',
  'supabase',
] as const satisfies readonly PresetName[]

/** Those of providers that never issue a refresh token. */
export const presetsWithoutRefreshTokens: readonly string[] = [
  'github',
  'slack',
] satisfies PresetName[]

const providerSettings = z.strictObject({
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe('Port of the mock provider; 0 takes a free one.')
    .meta({
      flag: '--provider-port <number>',
      reads: 'whole number',
      help: 'port of the mock provider',
    }),
  hostname: oneHostName
    .optional()
    .describe(
      'Host name of the mock provider, for implementations that refuse addresses and localhost; it has to resolve to 127.0.0.1 in them.',
    )
    .meta({
      flag: '--provider-hostname <name>',
      help: 'host name of the mock provider, instead of 127.0.0.1',
      example: 'provider.test',
    }),
  hostnames: z
    .array(oneHostName)
    .min(1)
    .optional()
    .describe(
      'Names of a real provider, under which the mock provider and its API are reached at port 443 by an implementation that is started; the first one is the issuer.',
    )
    .meta({
      flag: '--provider-hostnames <names>',
      reads: 'words',
      help: 'names of a real provider, for an implementation that knows no other; separated by blanks or commas',
      example: ['github.com', 'api.github.com'],
    }),
  preset: z
    .enum(presetNames)
    .optional()
    .describe('The real provider whose paths and deviations from the RFCs it has.')
    .meta({
      flag: '--provider-preset <name>',
      help: 'real provider whose paths and deviations it has',
      example: 'github',
    }),
  authority: z
    .string()
    .optional()
    .describe(
      'Folder of a certificate authority that is kept between runs (made if missing); default: a new one for each run.',
    )
    .meta({
      flag: '--authority <dir>',
      reads: 'path',
      help: 'keep the certificate authority of the mock provider here',
      example: './conformance-ca',
    }),
  client: z
    .strictObject({
      id: z
        .string()
        .min(1)
        .default('client-1')
        .meta({ flag: '--client-id <id>', help: 'OAuth client that it is configured with' }),
      secret: z
        .string()
        .min(
          shortestSecret,
          `expected at least ${shortestSecret} characters, so that a leak can be proven`,
        )
        .optional()
        .describe('Default: a random one where the harness starts the implementation.')
        .meta({
          flag: '--client-secret-env <name>',
          reads: 'environment',
          help: 'environment variable with the secret of that client',
          example: 'at-least-sixteen-characters',
        }),
      auth: z
        .array(z.enum(['client_secret_basic', 'client_secret_post', 'none']))
        .min(1)
        .optional()
        .describe('How it authenticates at the token endpoint; default: basic or post.')
        .meta({ example: ['client_secret_basic'] }),
      redirectUris: z
        .array(z.string())
        .min(1)
        .optional()
        .describe(
          'Registered redirect URIs; default: the first one that is seen at the origin of the implementation.',
        )
        .meta({ example: ['http://127.0.0.1:8080/oauth/callback'] }),
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
  tokenSigningAlg: z
    .enum(['RS256', 'ES256', 'EdDSA'])
    .default('RS256')
    .describe(
      'The algorithm that signs access tokens that are JWTs; by RFC 9068 §2.1 everybody supports the first.',
    ),
  resources: z
    .array(
      z.strictObject({ method: z.string(), path: z.string().startsWith('/'), scope: z.string() }),
    )
    .default([])
    .describe(
      'Further routes of the protected API below {resource.url}; with provider.hostnames also without that prefix.',
    ),
})

/** The settings of the mock provider. */
export const providerSchema = providerSettings
  .refine(({ hostname, hostnames }) => !(hostname && hostnames), {
    path: ['hostnames'],
    message: 'give either hostname or hostnames, not both',
  })
  .refine(({ port, hostnames }) => !hostnames || port === 0, {
    path: ['port'],
    message: 'under real names (provider.hostnames) the port is 443',
  })
  .refine(({ client, hostnames }) => !hostnames || !client.secret || fake.test(client.secret), {
    path: ['client', 'secret'],
    message:
      'with provider.hostnames the secret has to be visibly fake (contain "fake"), because an implementation that resolves names in another way sends it to the real provider',
  })

const { $schema, profile, implementation, timing, strict } = baseSchema.shape

/** What a profile whose implementation meets the mock provider extends. */
export const commonSchema = z.strictObject({
  $schema,
  profile,
  implementation,
  target: targetSchema,
  provider: providerSchema.prefault({}),
  timing,
  strict,
})

/** A profile whose implementations meet no OAuth provider leaves `provider` out. */
export type CommonConfiguration = Omit<z.infer<typeof commonSchema>, 'provider'> & {
  readonly provider?: ProviderConfiguration
}
/** How the implementation is started and reached. */
export type TargetConfiguration = z.infer<typeof targetSchema>
/** How the mock provider is set up for a run. */
export type ProviderConfiguration = z.infer<typeof providerSchema>

/** Declared by whoever writes logs beside its output. */
export const logFiles = z
  .array(z.string())
  .optional()
  .describe('Log files that it writes, beside its output.')
  .meta({
    flag: '--log-file <path>',
    reads: 'paths',
    help: 'log file that it writes; repeatable',
    example: ['./server.log'],
  })

/** Where the scripted model listens, for who is configured with its address. */
export const modelListens = z
  .strictObject({
    model: z
      .number()
      .int()
      .min(0)
      .max(65535)
      .default(0)
      .describe('Port of the scripted model; 0 takes a free one.'),
  })
  .prefault({})
