/** Runs the server as a process, configured by environment variables (see README.md). */

import { once } from 'node:events'
import { createServer } from 'node:http'

import { getRequestListener } from '@hono/node-server'
import { z } from 'zod'

import { createItemsServer } from './items-server.ts'
import type { Parts } from './parts.ts'

const url = z.url('must be a URL').transform((text) => text.replace(/\/$/, ''))
const words = z.string().transform((text) => text.split(' ').filter(Boolean))
const milliseconds = z.coerce.number('must be a number').int().positive()

const environment = z.object({
  PORT: z.coerce.number('must be a number').int().min(0).max(65_535),
  PUBLIC_URL: url,
  OAUTH_ISSUER: url,
  OAUTH_CLIENT_ID: z.string('is required'),
  OAUTH_CLIENT_SECRET: z.string('is required'),
  OAUTH_SCOPES: words.prefault('items:read'),
  REDIRECT_URIS: words.refine((uris) => uris.length > 0, 'is required'),
  RESOURCE_URL: url,
  DATA_DIR: z.string('is required'),
  PENDING_TIMEOUT_MS: milliseconds.default(600_000),
  UPSTREAM_TIMEOUT_MS: milliseconds.default(5_000),
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
      process.stderr.write(`items-server: ${path.join('.')} ${message}\n`)
    process.exitCode = 2
    return
  }
  const { data } = parsed
  const [redirectUri = '', ...others] = data.REDIRECT_URIS
  const server = createItemsServer(
    {
      publicUrl: data.PUBLIC_URL,
      issuer: data.OAUTH_ISSUER,
      clientId: data.OAUTH_CLIENT_ID,
      clientSecret: data.OAUTH_CLIENT_SECRET,
      scopes: data.OAUTH_SCOPES,
      redirectUris: [redirectUri, ...others],
      resourceUrl: data.RESOURCE_URL,
      dataDir: data.DATA_DIR,
      pendingTimeoutMs: data.PENDING_TIMEOUT_MS,
      upstreamTimeoutMs: data.UPSTREAM_TIMEOUT_MS,
    },
    parts,
  )
  // Request and Response stay Node's own.
  const listener = getRequestListener(server.fetch, { overrideGlobalObjects: false })
  const http = createServer((request, response) => void listener(request, response))
  http.listen(data.PORT, '127.0.0.1')
  await once(http, 'listening')
  process.stdout.write(`items-server: listening at ${data.PUBLIC_URL}\n`)
  const stop = async (): Promise<void> => {
    http.close()
    await server.close()
    http.closeAllConnections()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
}
