/** Reads the configuration from environment variables and says what is wrong with them. */

import { z } from 'zod'

import {
  defaultPendingTimeoutMs,
  defaultScopes,
  defaultUpstreamTimeoutMs,
  type ItemsServerConfig,
} from './config.ts'
import { isLoopback } from './oauth/provider.ts'
import { tokenKeyBytes } from './tokens/token-key.ts'

const httpUrl = z
  .string('is required')
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http or https URL',
  )
  .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment')

// Tokens travel there. Plain http is for a provider on this machine, during development.
const secureUrl = httpUrl.refine(
  (text) => !URL.canParse(text) || new URL(text).protocol === 'https:' || isLoopback(text),
  'must be an https URL',
)

const milliseconds = (byDefault: number) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of milliseconds')
    .transform(Number)
    // What setTimeout can count to, with some to spare.
    .refine((ms) => ms <= 2_000_000_000, 'must be at most 2000000000')
    .default(byDefault)

const environmentSchema = z.object({
  TRANSPORT: z.enum(['http', 'stdio'], 'must be http or stdio').default('http'),
  PORT: z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) <= 65_535, 'must be 0 to 65535')
    .transform(Number)
    .default(0),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  OAUTH_ISSUER: secureUrl,
  OAUTH_CLIENT_ID: z.string('is required'),
  OAUTH_CLIENT_SECRET: z.string().optional(),
  OAUTH_SCOPES: z
    .string()
    .transform((text) => text.split(' ').filter(Boolean))
    .default(defaultScopes),
  RESOURCE_URL: secureUrl,
  DATA_DIR: z.string('is required'),
  TOKEN_KEY: z
    .string()
    .refine(
      (text) => /^[\w-]{43}$/.test(text) && Buffer.from(text, 'base64url').length === tokenKeyBytes,
      `must be ${tokenKeyBytes} bytes in base64url`,
    )
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
    .optional(),
  MCP_AUTHORIZATION: z.enum(['required', 'none'], 'must be required or none').default('required'),
  PENDING_TIMEOUT_MS: milliseconds(defaultPendingTimeoutMs),
  UPSTREAM_TIMEOUT_MS: milliseconds(defaultUpstreamTimeoutMs),
})

export interface Environment {
  readonly transport: 'http' | 'stdio'
  readonly port: number
  readonly host: string
  /** The server's configuration, given the URL that it is bound to. */
  readonly configFor: (boundUrl: string) => ItemsServerConfig
}

export type EnvironmentResult =
  | { readonly ok: true; readonly value: Environment }
  | { readonly ok: false; readonly problems: string[] }

/** An empty variable counts as absent. Problems name the variable, never its value. */
export function readEnvironment(env: Readonly<NodeJS.ProcessEnv>): EnvironmentResult {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(set)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    return { ok: false, problems }
  }
  const values = parsed.data
  return {
    ok: true,
    value: {
      transport: values.TRANSPORT,
      port: values.PORT,
      host: values.HOST,
      configFor: (boundUrl) => ({
        publicUrl: values.PUBLIC_URL ?? boundUrl,
        issuer: values.OAUTH_ISSUER,
        clientId: values.OAUTH_CLIENT_ID,
        ...(values.OAUTH_CLIENT_SECRET !== undefined && {
          clientSecret: values.OAUTH_CLIENT_SECRET,
        }),
        scopes: values.OAUTH_SCOPES,
        resourceUrl: values.RESOURCE_URL,
        dataDir: values.DATA_DIR,
        ...(values.TOKEN_KEY !== undefined && { tokenKey: values.TOKEN_KEY }),
        // MCP Authorization: not for stdio, where the caller is whoever started the process.
        authorization: values.TRANSPORT === 'stdio' ? 'none' : values.MCP_AUTHORIZATION,
        pendingTimeoutMs: values.PENDING_TIMEOUT_MS,
        upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS,
      }),
    },
  }
}
