/** The server as a fetch handler: sessions over Streamable HTTP, and one tool. */

import { randomUUID } from 'node:crypto'

import {
  McpServer,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

import { describeResource, metadataPath, refuse } from './access.ts'
import { subjectOf } from './subject-of.ts'
import { boundFetch } from './bound-fetch.ts'
import type { Config } from './config.ts'
import { listItems } from './list-items.ts'
import { defaultParts, type Parts } from './parts.ts'
import { once } from './provider.ts'
import { createQueue } from './queue.ts'
import { loadKey, sealedFiles } from './sealed-files.ts'
import type { Work } from './work.ts'

export interface ItemsServer {
  readonly fetch: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Who began it: its id is no credential. */
  readonly subject: string
}

const initialize = z.object({
  method: z.literal('initialize'),
  params: z.looseObject({ capabilities: z.unknown() }),
})

/**
 * Makes an MCP server that lists the user's items behind OAuth, and has its clients do what needs a browser.
 *
 * @param changes replaces steps of the server
 */
export function createItemsServer(config: Config, changes: Partial<Parts> = {}): ItemsServer {
  const parts: Parts = { ...defaultParts, ...changes }
  const fetch = boundFetch(config.upstreamTimeoutMs)
  const work: Work = {
    config,
    parts,
    fetch,
    provider: once(() => parts.discoverProvider(config, fetch)),
    records: sealedFiles(config.dataDir, parts.createCipher(loadKey(config.dataDir))),
    queue: createQueue(),
  }
  const sessions = new Map<string, Session>()

  async function begin(request: Request, subject: string): Promise<Response> {
    // The SDK hands on the capabilities that it knows, so they are read before it.
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined)
    const capabilities = initialize.safeParse(body).data?.params.capabilities
    const transport = parts.createTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, subject }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await newMcpServer(work, subject, capabilities).connect(transport)
    return transport.handleRequest(request)
  }

  async function serveMcp(request: Request): Promise<Response> {
    const subject = await subjectOf(work, request).catch(() => undefined)
    if (subject === undefined) return refuse(config)
    const id = request.headers.get('mcp-session-id')
    if (id === null) return begin(request, subject)
    const session = sessions.get(id)
    if (!session || !parts.ownsSession(session.subject, subject))
      return new Response(null, { status: 404 })
    return session.transport.handleRequest(request)
  }

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === metadataPath) return describeResource(config)
      return pathname === '/mcp' ? serveMcp(request) : parts.openPage(request)
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
    },
  }
}

/** One for each session. */
function newMcpServer(work: Work, subject: string, capabilities: unknown): McpServer {
  const server = new McpServer({ name: 'items', version: '1.0.0' })
  const description = 'Lists the items of the user.'
  server.registerTool('list_items', { description, inputSchema: z.object({}) }, (_, context) =>
    listItems(work, { subject, capabilities, context, server }),
  )
  return server
}
