/** Runs the server as a process, configured by environment variables (see README.md). */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

import { getRequestListener } from '@hono/node-server'

import { readEnvironment, type Environment } from './environment.ts'
import { createItemsServer } from './items-server.ts'
import type { Parts } from './parts.ts'

/**
 * Starts the server that `process.env` describes and stops it on SIGTERM, SIGINT or, over stdio, when
 * its input ends. What is wrong with the environment is printed, one line per problem, and the
 * process ends with code 2.
 *
 * @param parts replaces steps of the server
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

async function serve(environment: Environment, parts: Partial<Parts>): Promise<void> {
  const { transport, port, host, configFor } = environment
  const http = createServer()
  http.listen(port, host)
  await once(http, 'listening')
  const url = boundUrl(http)

  // The rest comes after the socket because the redirect URI may be the bound URL.
  const server = createItemsServer(configFor(url), parts)
  // Request and Response stay Node's own: oauth4webapi gets to see them.
  const listener = getRequestListener(server.app.fetch, { overrideGlobalObjects: false })
  http.on('request', (request, response) => void listener(request, response))

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    http.close()
    await server.close()
    http.closeAllConnections()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

  if (transport === 'stdio') {
    // The protocol has stdout for itself.
    process.stderr.write(`items-server listening on ${url}\n`)
    process.stdin.once('end', () => void stop())
    server.serveStdio()
  } else {
    process.stdout.write(`items-server listening on ${url}\n`)
  }
}

function boundUrl(server: Server): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new TypeError('not bound to a TCP port')
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return `http://${host}:${bound.port}`
}

function stopWith(exitCode: number, problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`items-server: ${problem}\n`)
  process.exitCode = exitCode
}
