/** The tool as a fetch handler: its routes, and the wiring of its parts. */

import { join } from 'node:path'

import { Hono, type Context as Http } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'

import { createBackground } from './background.ts'
import { resolveConfig, type RapToolConfig } from './config.ts'
import { handleCallback, resumeFlows } from './finish-authorization.ts'
import { createFlowStore } from './flow-store.ts'
import { cancelCall, handleCall } from './handle-call.ts'
import { defaultParts, type Parts } from './parts.ts'
import { once } from './provider.ts'
import { createQueue } from './queue.ts'
import { createSealedFiles } from './sealed-files.ts'
import { createTokenVault } from './token-vault.ts'
import { boundFetch } from './upstream.ts'
import type { Work } from './work.ts'

export interface RapTool {
  readonly app: Hono
  /** Stops timers, lets running calls end for a moment, then ends them. Pending flows stay on disk. */
  readonly close: () => Promise<void>
}

const maxInvocationBytes = 256 * 1024
const graceMs = 500

/**
 * Makes a RAP tool that lists and creates items behind OAuth.
 *
 * @param parts replaces steps of the tool, for example the clock in a test
 * @throws when the token key in `dataDir` cannot be read or made
 * @example
 * const tool = createRapTool({ publicUrl, issuer, clientId, resourceUrl, dataDir })
 * const response = await tool.app.request('/.well-known/rap-toolset')
 * await tool.close()
 */
export function createRapTool(config: RapToolConfig, parts: Partial<Parts> = {}): RapTool {
  const stopping = new AbortController()
  const closing = new AbortController()
  const closed = new AbortController()
  const signals = { stopping: stopping.signal, closing: closing.signal, closed: closed.signal }
  const work = createWork(config, { ...defaultParts, ...parts }, signals)
  const resumed = work.background.run(() => resumeFlows(work))
  const routes = createRoutes(work, resumed)
  return {
    app: new Hono().all('*', (http) =>
      work.parts.serve(http.req.raw, (request) => routes.fetch(request, http.env)),
    ),
    async close() {
      stopping.abort()
      await resumed
      stopTimers(work)
      // First requests to others are given up, so that calls still get an error result; then all.
      if (!(await work.background.idle(graceMs))) {
        closing.abort()
        await work.background.idle(graceMs)
      }
      closed.abort()
      closing.abort()
      await work.background.idle(graceMs)
      // Those of flows that began meanwhile.
      stopTimers(work)
    },
  }
}

function stopTimers({ timers }: Work): void {
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
}

/** The steps of a shutdown: no delivery is repeated, no request to others goes on, nothing does. */
interface Signals {
  readonly stopping: AbortSignal
  readonly closing: AbortSignal
  readonly closed: AbortSignal
}

function createWork(
  config: RapToolConfig,
  parts: Parts,
  { stopping, closing, closed }: Signals,
): Work {
  const settings = resolveConfig(config)
  const fetch = boundFetch(settings.fetch, settings.upstreamTimeoutMs, closing)
  const provider = once(() => parts.discoverProvider(settings, fetch))
  const cipher = parts.createCipher(settings.tokenKey)
  const queue = createQueue()
  const tokenFiles = createSealedFiles(join(settings.dataDir, 'tokens'), cipher)
  return {
    settings,
    parts,
    fetch,
    provider,
    vault: createTokenVault(tokenFiles, provider, queue, parts),
    flows: createFlowStore(settings.dataDir, cipher),
    queue,
    background: createBackground(() => parts.log({ event: 'internal-error' })),
    timers: new Map(),
    stopping,
    unsent: new Set(),
    closed,
  }
}

function createRoutes(work: Work, resumed: Promise<void>): Hono {
  const { parts, settings, background } = work
  const app = new Hono()
  const limit = bodyLimit({
    maxSize: maxInvocationBytes,
    onError: (http) => http.json({ error: 'request body too large' }, 413),
  })

  app.get('/.well-known/rap-toolset', (http) =>
    http.json(parts.describeToolset(settings.publicUrl, settings.issuer)),
  )

  app.post('/invoke', limit, async (http) => {
    if (!isJson(http)) return http.json({ error: 'content-type must be application/json' }, 415)
    const invocation = parts.parseInvocation(await http.req.text())
    if (invocation === undefined) return http.json({ error: 'not a RAP invocation' }, 400)
    return parts.acknowledge(http, () => background.run(() => handleCall(work, invocation)))
  })

  // RAP: lifecycle notifications are always answered 200, whatever they say.
  app.post('/close_thread', limit, (http) => http.json({ accepted: true }))
  app.post('/cancel_tool_call', limit, async (http) => {
    const body = cancellationSchema.safeParse(await http.req.json().catch(() => undefined))
    if (body.success) {
      const { thread_id: groupId, tool_call_id: id } = body.data
      void background.run(() => cancelCall(work, groupId, id))
    }
    return http.json({ accepted: true })
  })

  app.get('/oauth/callback', async (http) => {
    // Link scanners send HEAD, which Hono routes to GET: it must not use up the user's one answer.
    if (http.req.method !== 'GET') return http.body(null, 405)
    await resumed
    return handleCallback(work, http)
  })

  // The message of an unexpected error may quote what the request carried.
  app.onError((_error, http) => {
    parts.log({ event: 'internal-error' })
    return http.json({ error: 'internal error' }, 500)
  })
  return app
}

const cancellationSchema = z.object({ thread_id: z.string(), tool_call_id: z.string() })

function isJson(http: Http): boolean {
  const [type = ''] = (http.req.header('content-type') ?? '').split(';')
  return type.trim().toLowerCase() === 'application/json'
}
