/** The environment of the process; what is wrong with it, a line for each problem. */

import { z } from 'zod'
import type { Settings } from './host.ts'
import type { ServerSpec } from './work.ts'

const schema = z
  .object({
    MCP_SERVERS: z
      .string()
      .transform((text, context): unknown => {
        try {
          return JSON.parse(text)
        } catch {
          context.addIssue('expected a JSON object')
          return z.NEVER
        }
      })
      .pipe(z.record(z.string().min(1), z.url({ protocol: /^https?$/ }))),
    OAUTH_CLIENT_ID: z.string().min(1),
    OAUTH_CLIENT_SECRET: z.string().optional(),
    TOKEN_FILE: z.string().min(1).optional(),
    TOKEN_KEY: z.string().min(16).optional(),
  })
  .refine(({ TOKEN_FILE, TOKEN_KEY }) => TOKEN_FILE === undefined || TOKEN_KEY !== undefined, {
    message: 'expected a key of at least 16 characters, since there is a TOKEN_FILE',
    path: ['TOKEN_KEY'],
  })

export interface Environment {
  readonly servers: readonly ServerSpec[]
  readonly settings: Settings
}

/** Reads MCP_SERVERS, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, TOKEN_FILE and TOKEN_KEY. */
export function readEnvironment(
  env: Readonly<NodeJS.ProcessEnv>,
): { readonly value: Environment } | { readonly problems: readonly string[] } {
  const { data, error } = schema.safeParse(env)
  if (!data)
    return { problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const { MCP_SERVERS, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, TOKEN_FILE, TOKEN_KEY = '' } = data
  return {
    value: {
      servers: Object.entries(MCP_SERVERS).map(([name, url]) => ({ name, url })),
      settings: {
        registration: {
          client_id: OAUTH_CLIENT_ID,
          ...(OAUTH_CLIENT_SECRET ? { client_secret: OAUTH_CLIENT_SECRET } : {}),
        },
        tokenFile: TOKEN_FILE,
        tokenKey: TOKEN_KEY,
      },
    },
  }
}
