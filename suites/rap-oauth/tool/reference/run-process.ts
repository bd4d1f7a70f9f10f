/** Runs the tool as a process, configured by environment variables (see README.md). */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

import { getRequestListener } from '@hono/node-server'

import { readEnvironment, type Environment } from './environment.ts'
import type { Parts } from './parts.ts'
import { createRapTool } from './rap-tool.ts'

/**
 * Starts the tool that `process.env` describes and stops it on SIGTERM or SIGINT. What is wrong with
 * the environment is printed, one line per problem, and the process ends with code 2.
 *
 * @param parts replaces steps of the tool
 */
export function runProcess(parts: Partial<Parts> = {}): void {
  const environment = readEnvironment(process.env)
  if (!environment.ok) return stopWith(2, environment.problems)
  // Such as a port in use or a DATA_DIR that cannot be written: one line, no stack trace.
  serve(environment.value, parts).catch((error: unknown) => {
    stopWith(2, [error instanceof Error ? error.message : 'could not start'])
    process.exit()
  })
}

async function serve({ port, host, configFor }: Environment, parts: Partial<Parts>): Promise<void> {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  const url = boundUrl(server)

  // The tool comes after the socket because its redirect URI may be the bound URL.
  const tool = createRapTool(configFor(url), parts)
  // Request and Response stay Node's own: oauth4webapi gets to see them.
  const listener = getRequestListener(tool.app.fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => void listener(request, response))

  const stop = async () => {
    server.close()
    await tool.close()
    server.closeAllConnections()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
  process.stdout.write(`rap-tool listening on ${url}\n`)
}

function boundUrl(server: Server): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new TypeError('not bound to a TCP port')
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return `http://${host}:${bound.port}`
}

function stopWith(exitCode: number, problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`rap-tool: ${problem}\n`)
  process.exitCode = exitCode
}
