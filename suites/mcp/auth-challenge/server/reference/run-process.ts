/** Runs the server as a process, configured by environment variables (see README.md). */

import { once } from 'node:events'
import { createServer } from 'node:http'

import { getRequestListener } from '@hono/node-server'
import { z } from 'zod'

import { createNotesServer } from './notes-server.ts'
import type { Parts } from './parts.ts'

const url = z.url('must be a URL').transform((text) => text.replace(/\/$/, ''))

const environment = z.object({
  PORT: z.coerce.number('must be a number').int().min(0).max(65_535),
  PUBLIC_URL: url,
  OAUTH_ISSUER: url,
  OAUTH_CLIENT_ID: z.string('is required'),
  OAUTH_CLIENT_SECRET: z.string('is required'),
})

/**
 * Starts the server that `process.env` describes and stops it on SIGTERM or SIGINT. What is wrong with the
 * environment is printed, one line per problem, and the process ends with code 2.
 *
 * @param parts replaces steps of the server
 */
export async function runProcess(parts: Partial<Parts> = {}): Promise<void> {
  const parsed = environment.safeParse(process.env)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues)
      process.stderr.write(`notes-server: ${path.join('.')} ${message}\n`)
    process.exitCode = 2
    return
  }
  const { PORT: port, PUBLIC_URL: publicUrl, OAUTH_ISSUER: issuer } = parsed.data
  const { OAUTH_CLIENT_ID: clientId, OAUTH_CLIENT_SECRET: clientSecret } = parsed.data
  const server = createNotesServer({ publicUrl, issuer, clientId, clientSecret }, parts)
  // Request and Response stay Node's own.
  const listener = getRequestListener(
    (request, { incoming }) => server.fetch(request, incoming.socket),
    { overrideGlobalObjects: false },
  )
  const http = createServer((request, response) => void listener(request, response))
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  process.stdout.write(`notes-server: listening at ${publicUrl}\n`)
  const stop = async (): Promise<void> => {
    http.close()
    await server.close()
    http.closeAllConnections()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
}
