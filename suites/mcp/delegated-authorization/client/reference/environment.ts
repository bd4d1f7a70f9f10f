/** The environment of the process; what is wrong with it, a line for each problem. */

import { z } from 'zod'
import type { ServerSpec } from './work.ts'

const server = z
  .strictObject({ url: z.url({ protocol: /^https?$/ }).optional(), command: z.string().optional() })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    message: 'expected either url or command',
  })

const schema = z.object({
  USER_INTERFACE: z.enum(['terminal', 'adapter']).default('terminal'),
  MCP_SERVERS: z
    .string()
    .default('{}')
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('expected a JSON object')
        return z.NEVER
      }
    })
    .pipe(z.record(z.string().min(1), server)),
})

export interface Environment {
  readonly userInterface: 'terminal' | 'adapter'
  readonly servers: readonly ServerSpec[]
}

/** Reads MCP_SERVERS and USER_INTERFACE. */
export function readEnvironment(
  env: Readonly<NodeJS.ProcessEnv>,
): { readonly value: Environment } | { readonly problems: readonly string[] } {
  const { data, error } = schema.safeParse(env)
  if (!data)
    return { problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const servers = Object.entries(data.MCP_SERVERS).map(([name, spec]) => ({ name, ...spec }))
  if (data.USER_INTERFACE === 'terminal' && servers.length === 0)
    return { problems: ['MCP_SERVERS: expected a server, such as {"items": {"url": "..."}}'] }
  return { value: { userInterface: data.USER_INTERFACE, servers } }
}
