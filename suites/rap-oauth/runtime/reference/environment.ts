/** Reads the configuration from environment variables and says what is wrong with them. */

import { z } from 'zod'

import { defaultModelBaseUrl, type RapRuntimeConfig } from './config.ts'

const isHttpUrl = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text)

const httpUrl = z
  .string('is required')
  .refine(isHttpUrl, 'must be an http or https URL without query and fragment')

const required = z.string('is required')

const environmentSchema = z.object({
  PORT: z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) <= 65_535, 'must be 0 to 65535')
    .transform(Number)
    .default(0),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  TOOLSETS: required
    .transform((text) => text.split(',').map((each) => each.trim()))
    .refine((urls) => urls.every(isHttpUrl), 'must be http or https URLs, separated by commas'),
  MODEL_BASE_URL: httpUrl.default(defaultModelBaseUrl),
  MODEL_API_KEY: z.string().optional(),
  MODEL_NAME: required,
  DATA_DIR: required,
  CALL_TIMEOUT_MS: z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of milliseconds')
    .transform(Number)
    // What setTimeout can count to.
    .refine((ms) => ms <= 2_147_483_647, 'must be at most 2147483647')
    .optional(),
  TOOL_HEADERS: z
    .string()
    .transform(parseHeaders)
    .refine((headers) => headers !== undefined, 'must be a JSON object of HTTP headers')
    .optional(),
  CONSOLE: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
})

export interface Environment {
  readonly port: number
  readonly host: string
  readonly console: boolean
  /** The runtime's configuration, given the URL that the server is bound to. */
  readonly configFor: (boundUrl: string) => RapRuntimeConfig
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
      console: values.CONSOLE === '1',
      configFor: (boundUrl) => ({
        publicUrl: values.PUBLIC_URL ?? boundUrl,
        toolsets: values.TOOLSETS,
        modelBaseUrl: values.MODEL_BASE_URL,
        modelName: values.MODEL_NAME,
        dataDir: values.DATA_DIR,
        ...(values.MODEL_API_KEY === undefined ? {} : { modelApiKey: values.MODEL_API_KEY }),
        ...(values.CALL_TIMEOUT_MS === undefined ? {} : { callTimeoutMs: values.CALL_TIMEOUT_MS }),
        ...(values.TOOL_HEADERS === undefined ? {} : { toolHeaders: values.TOOL_HEADERS }),
      }),
    },
  }
}

function parseHeaders(text: string): Record<string, string> | undefined {
  try {
    const headers = z.record(z.string(), z.string()).parse(JSON.parse(text))
    return Object.fromEntries(new Headers(headers))
  } catch {
    return undefined
  }
}
