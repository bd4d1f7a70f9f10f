/** The runtime as a fetch handler, and the wiring of its parts. */

import { setMaxListeners } from 'node:events'
import type { Hono } from 'hono'

import { createBackground } from './background.ts'
import { resolveConfig, type RapRuntimeConfig } from './config.ts'
import { converse } from './converse.ts'
import { createFeed, type Listener } from './events.ts'
import { createExchange } from './exchange.ts'
import { defaultParts, type Parts } from './parts.ts'
import { resume } from './resume.ts'
import { createRoutes } from './routes.ts'
import { acceptMessage } from './accept-message.ts'
import { createToolsets } from './toolsets.ts'
import type { Work } from './work.ts'

export interface RapRuntime {
  readonly app: Hono
  /** Takes what a user says; the reply comes to the conversation's listeners. */
  readonly say: (conversation: string, text: string, userId: string | null) => void
  /** Calls the listener with everything that the user is shown from now on; returns the way out. */
  readonly listen: (conversation: string, listener: Listener) => () => void
  /** Lets running work end for a moment, then cuts it short. Pending calls stay in the database. */
  readonly close: () => Promise<void>
}

const graceMs = 500

/**
 * Makes an agent runtime that speaks RAP to tools and chat completions to a model.
 *
 * @param parts replaces steps of the runtime, for example the clock in a test
 * @throws when the database in `dataDir` cannot be opened
 * @example
 * const runtime = createRapRuntime({ publicUrl, toolsets: ['https://tool.example'], modelName, dataDir })
 * await runtime.app.request('/conversations/c1/messages', { method: 'POST', headers, body })
 * await runtime.close()
 */
export function createRapRuntime(config: RapRuntimeConfig, parts: Partial<Parts> = {}): RapRuntime {
  const closing = new AbortController()
  // Every exchange listens for the end.
  setMaxListeners(0, closing.signal)
  const work = createWork(config, { ...defaultParts, ...parts }, closing.signal)
  resume(work)
  return {
    app: createRoutes(work),
    say: (conversation, text, userId) => acceptMessage(work, conversation, text, userId),
    listen: (conversation, listener) => work.feed.subscribe(conversation, listener),
    async close() {
      for (const timer of work.timers.values()) clearTimeout(timer)
      closing.abort()
      await work.background.idle(graceMs)
      for (const timer of work.timers.values()) clearTimeout(timer)
      work.store.close()
    },
  }
}

function createWork(config: RapRuntimeConfig, parts: Parts, closing: AbortSignal): Work {
  const settings = resolveConfig(config)
  const exchange = createExchange(settings.fetch, closing)
  const queue = parts.createQueue()
  const background = createBackground(() => {
    if (!closing.aborted) parts.log({ event: 'internal-error' })
  })
  const work: Work = {
    settings,
    parts,
    store: parts.openStore(settings.dataDir),
    feed: createFeed(),
    exchange,
    tools: createToolsets(settings, exchange, parts),
    background,
    timers: new Map(),
    closing,
    wake: (conversation, message) =>
      background.run(() => queue(conversation, () => converse(work, conversation, message))),
  }
  return work
}
