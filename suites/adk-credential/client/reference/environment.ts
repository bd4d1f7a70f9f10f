/** The environment of the process; what is wrong with it, a line for each problem. */

import { z } from 'zod'

const url = z.url({ protocol: /^https?$/ })

const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(8000),
  PUBLIC_URL: url.optional(),
  AGENT_URL: url,
  AGENT_APP: z.string().min(1),
  AGENT_TRANSPORT: z.enum(['run', 'run_sse']).default('run_sse'),
  CONSENT_BEGIN: url.optional(),
  CONSENT_COMPLETE: url.optional(),
})

export interface Config {
  readonly port: number
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly agentUrl: string
  readonly app: string
  readonly transport: 'run' | 'run_sse'
  /** Where an agent that asks by responses makes URLs and credentials. */
  readonly consent: { readonly begin: string; readonly complete: string } | undefined
}

/** Reads PORT, PUBLIC_URL, AGENT_* and CONSENT_*. */
export function readEnvironment(
  env: Readonly<NodeJS.ProcessEnv>,
): { readonly value: Config } | { readonly problems: readonly string[] } {
  const { data, error } = schema.safeParse(env)
  if (!data)
    return { problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const { CONSENT_BEGIN: begin, CONSENT_COMPLETE: complete } = data
  return {
    value: {
      port: data.PORT,
      publicUrl: (data.PUBLIC_URL ?? `http://127.0.0.1:${data.PORT}`).replace(/\/$/, ''),
      agentUrl: data.AGENT_URL.replace(/\/$/, ''),
      app: data.AGENT_APP,
      transport: data.AGENT_TRANSPORT,
      consent: begin && complete ? { begin, complete } : undefined,
    },
  }
}
