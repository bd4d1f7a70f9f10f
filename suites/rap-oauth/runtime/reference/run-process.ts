/** Runs the runtime as a process, configured by environment variables (see README.md). */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

import { getRequestListener } from '@hono/node-server'

import { runConsole } from './console.ts'
import { readEnvironment, type Environment } from './environment.ts'
import type { Parts } from './parts.ts'
import { createRapRuntime } from './rap-runtime.ts'

/**
 * Starts the runtime that `process.env` describes and stops it on SIGTERM or SIGINT. What is wrong
 * with the environment is printed, one line per problem, and the process ends with code 2.
 *
 * @param parts replaces steps of the runtime
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
  const server = createServer()
  server.listen(environment.port, environment.host)
  await once(server, 'listening')
  const url = boundUrl(server)

  // The runtime comes after the socket because its callback URLs may be under the bound URL.
  const runtime = createRapRuntime(environment.configFor(url), parts)
  const listener = getRequestListener(runtime.app.fetch)
  server.on('request', (request, response) => void listener(request, response))

  const stop = async () => {
    server.close()
    await runtime.close()
    server.closeAllConnections()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  print(`rap-runtime listening on ${url}`)
  if (environment.console) runConsole(runtime, process.stdin, print)
}

function boundUrl(server: Server): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new TypeError('not bound to a TCP port')
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return `http://${host}:${bound.port}`
}

function stopWith(exitCode: number, problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`rap-runtime: ${problem}\n`)
  process.exitCode = exitCode
}
