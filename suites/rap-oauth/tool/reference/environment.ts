/** Reads the configuration from environment variables and says what is wrong with them. */

import { z } from 'zod'

import { defaultPendingTimeoutMs, defaultUpstreamTimeoutMs, type RapToolConfig } from './config.ts'
import { tokenKeyBytes } from './token-key.ts'

const httpUrl = (protocol: RegExp, what: string) =>
  z
    .string(`must be ${what}`)
    .refine(
      (text) => URL.canParse(text) && protocol.test(new URL(text).protocol),
      `must be ${what}`,
    )
    .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment')

const required = z.string('is required')
const httpsUrl = required.pipe(httpUrl(/^https:$/, 'an https URL'))

const milliseconds = (byDefault: number) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of milliseconds')
    .transform(Number)
    // What setTimeout can count to.
    .refine((ms) => ms <= 2_147_483_647, 'must be at most 2147483647')
    .default(byDefault)

const environmentSchema = z.object({
  PORT: z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) <= 65_535, 'must be 0 to 65535')
    .transform(Number)
    .default(0),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl(/^https?:$/, 'an http or https URL').optional(),
  OAUTH_ISSUER: httpsUrl,
  OAUTH_CLIENT_ID: required,
  OAUTH_CLIENT_SECRET: z.string().optional(),
  RESOURCE_URL: httpsUrl,
  RESOURCE_INDICATOR: z.string().optional(),
  DATA_DIR: required,
  TOKEN_KEY: z
    .string()
    .refine(
      (text) => /^[\w-]{43}$/.test(text) && Buffer.from(text, 'base64url').length === tokenKeyBytes,
      `must be ${tokenKeyBytes} bytes in base64url`,
    )
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
    .optional(),
  PENDING_TIMEOUT_MS: milliseconds(defaultPendingTimeoutMs),
  UPSTREAM_TIMEOUT_MS: milliseconds(defaultUpstreamTimeoutMs),
})

export interface Environment {
  readonly port: number
  readonly host: string
  /** The tool's configuration, given the URL that the server is bound to. */
  readonly configFor: (boundUrl: string) => RapToolConfig
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
      port: values.PORT,
      host: values.HOST,
      configFor: (boundUrl) => ({
        publicUrl: values.PUBLIC_URL ?? boundUrl,
        issuer: values.OAUTH_ISSUER,
        clientId: values.OAUTH_CLIENT_ID,
        ...(values.OAUTH_CLIENT_SECRET === undefined
          ? {}
          : { clientSecret: values.OAUTH_CLIENT_SECRET }),
        resourceUrl: values.RESOURCE_URL,
        ...(values.RESOURCE_INDICATOR === undefined
          ? {}
          : { resourceIndicator: values.RESOURCE_INDICATOR }),
        dataDir: values.DATA_DIR,
        ...(values.TOKEN_KEY === undefined ? {} : { tokenKey: values.TOKEN_KEY }),
        pendingTimeoutMs: values.PENDING_TIMEOUT_MS,
        upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS,
      }),
    },
  }
}
