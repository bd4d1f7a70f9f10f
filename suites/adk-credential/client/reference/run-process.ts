/** Runs the client application as a process, configured by environment variables (see README.md). */

import { serve } from '@hono/node-server'
import { Client } from './client.ts'
import { readEnvironment } from './environment.ts'
import type { Parts } from './parts.ts'
import { createRoutes } from './server.ts'

/**
 * Serves the user until SIGTERM or SIGINT. What is wrong with the environment is printed, one line per problem, and the
 * process ends with code 2.
 *
 * @param parts replaces steps of the client application
 */
export function runProcess(parts: Partial<Parts> = {}): void {
  const environment = readEnvironment(process.env)
  if ('problems' in environment) {
    for (const problem of environment.problems) process.stderr.write(`adk-client: ${problem}\n`)
    process.exitCode = 2
    return
  }
  const { value: config } = environment
  const { fetch } = createRoutes(new Client(config, parts), config)
  const server = serve({ fetch, hostname: '127.0.0.1', port: config.port })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      server.close(() => process.exit(0))
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
}
