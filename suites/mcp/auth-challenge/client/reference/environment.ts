/** The environment of the process; what is wrong with it, a line for each problem. */

import { z } from 'zod'
import type { ClientInformation, ServerSpec } from './work.ts'

const schema = z.object({
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
})

export interface Environment {
  readonly servers: readonly ServerSpec[]
  readonly registration: ClientInformation
}

/** Reads MCP_SERVERS, OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET. */
export function readEnvironment(
  env: Readonly<NodeJS.ProcessEnv>,
): { readonly value: Environment } | { readonly problems: readonly string[] } {
  const { data, error } = schema.safeParse(env)
  if (!data)
    return { problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const { MCP_SERVERS, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET } = data
  return {
    value: {
      servers: Object.entries(MCP_SERVERS).map(([name, url]) => ({ name, url })),
      registration: {
        client_id: OAUTH_CLIENT_ID,
        ...(OAUTH_CLIENT_SECRET ? { client_secret: OAUTH_CLIENT_SECRET } : {}),
      },
    },
  }
}
