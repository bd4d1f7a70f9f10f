/** The agent as a process: listens, serves, and ends at SIGTERM; or takes the commands of an adapter. */

import { serve } from '@hono/node-server'
import { runAdapter } from './adapter.ts'
import { createAgent } from './agent.ts'
import { readEnvironment } from './environment.ts'
import type { Parts } from './parts.ts'

/** Exits with code 2 and one line for each problem where the environment is wrong. */
export function runProcess(parts: Partial<Parts> = {}): void {
  const environment = readEnvironment(process.env)
  if (!environment.ok) {
    for (const problem of environment.problems) process.stderr.write(`items-agent: ${problem}\n`)
    process.exitCode = 2
    return
  }
  const { port, reachedBy } = environment.value
  if (reachedBy === 'adapter') return runAdapter(environment.value, parts)
  const agent = createAgent(environment.value, parts)
  const server = serve({ fetch: agent.fetch, hostname: '127.0.0.1', port }, (bound) => {
    process.stdout.write(`items-agent listening on http://127.0.0.1:${bound.port}\n`)
  })
  server.on('error', (error) => {
    process.stderr.write(`items-agent: ${error.message}\n`)
    process.exit(2)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      server.close()
      process.exit(0)
    })
  }
}
