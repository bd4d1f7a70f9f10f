/** Reads the configuration from environment variables and says what is wrong with them. */

import { z } from 'zod'

const url = z.string().refine((text) => URL.canParse(text), 'must be a URL')

const environmentSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** `call` as Google's agents ask for credentials, or `response` as adk-rs does. */
  DIALECT: z.enum(['call', 'response']).default('call'),
  /** Whether it serves the REST API, or is reached through the adapter protocol of a conformance suite. */
  REACHED_BY: z.enum(['rest', 'adapter']).default('rest'),
  MODEL_URL: url,
  MODEL_KEY: z.string().default(''),
  MODEL_NAME: z.string().default('gemini-flash'),
  OAUTH_ISSUER: url,
  AUTHORIZATION_ENDPOINT: url,
  TOKEN_ENDPOINT: url,
  OAUTH_CLIENT_ID: z.string().min(1),
  OAUTH_CLIENT_SECRET: z.string().optional(),
  /** Where the provider sends the browser; without it, the client application says so in its answer. */
  REDIRECT_URI: url.optional(),
  RESOURCE_URL: url,
  DATA_DIR: z.string().min(1),
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().positive().default(10_000),
})

export interface Config {
  readonly port: number
  readonly dialect: 'call' | 'response'
  readonly reachedBy: 'rest' | 'adapter'
  readonly model: { readonly url: string; readonly key: string; readonly name: string }
  readonly oauth: {
    readonly issuer: string
    readonly authorizationEndpoint: string
    readonly tokenEndpoint: string
    readonly clientId: string
    readonly clientSecret: string | undefined
    readonly redirectUri: string | undefined
  }
  /** Base URL of the protected API. */
  readonly resource: string
  readonly dataDir: string
  /** How long one request to anybody else may take, in milliseconds. */
  readonly upstreamTimeoutMs: number
}

export type EnvironmentResult =
  | { readonly ok: true; readonly value: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

/** An empty variable counts as absent. Problems name the variable, never its value. */
export function readEnvironment(env: Readonly<NodeJS.ProcessEnv>): EnvironmentResult {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(set)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    return { ok: false, problems }
  }
  const { data } = parsed
  return {
    ok: true,
    value: {
      port: data.PORT,
      dialect: data.DIALECT,
      reachedBy: data.REACHED_BY,
      model: { url: data.MODEL_URL, key: data.MODEL_KEY, name: data.MODEL_NAME },
      oauth: {
        issuer: data.OAUTH_ISSUER,
        authorizationEndpoint: data.AUTHORIZATION_ENDPOINT,
        tokenEndpoint: data.TOKEN_ENDPOINT,
        clientId: data.OAUTH_CLIENT_ID,
        clientSecret: data.OAUTH_CLIENT_SECRET,
        redirectUri: data.REDIRECT_URI,
      },
      resource: data.RESOURCE_URL.replace(/\/+$/, ''),
      dataDir: data.DATA_DIR,
      upstreamTimeoutMs: data.UPSTREAM_TIMEOUT_MS,
    },
  }
}
