/** Sessions of clients that speak 2025-11-25 or older, over Streamable HTTP. */

import { randomUUID } from 'node:crypto'

import type {
  AuthInfo,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

import type { Work } from '../work.ts'
import { createMcpServer } from './create-mcp-server.ts'

export interface Sessions {
  readonly handle: (request: Request, auth: AuthInfo | undefined) => Promise<Response>
  readonly close: () => Promise<void>
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** The subject of the token that it began with. */
  readonly subject: unknown
}

const mostKept = 1_000

export function createSessions(work: Work): Sessions {
  const { parts, vault } = work
  const kept = new Map<string, Session>()
  const clearing = new Set<Promise<void>>()

  function forget(owner: string): void {
    const done = vault
      .clear(owner)
      .catch(() => parts.log({ event: 'internal-error' }))
      .finally(() => clearing.delete(done))
    clearing.add(done)
  }

  async function begin(request: Request, auth: AuthInfo | undefined): Promise<Response> {
    const transport = parts.createTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        kept.set(id, { transport, subject: subjectOf(auth) })
        const [oldest] = kept.values()
        if (kept.size > mostKept) void oldest?.transport.close()
      },
    })
    const mcp = createMcpServer(work, 'legacy')
    // No EventTarget: the SDK calls this one function.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    mcp.server.onclose = () => {
      const { sessionId } = transport
      if (sessionId === undefined) return
      kept.delete(sessionId)
      // What a session authorized without a user ends with it.
      if (auth === undefined) forget(`session:${sessionId}`)
    }
    await mcp.connect(transport)
    return transport.handleRequest(request, auth && { authInfo: auth })
  }

  return {
    async handle(request, auth) {
      const id = request.headers.get('mcp-session-id')
      // Without an id it is an initialize request, or the transport refuses it.
      if (id === null) return begin(request, auth)
      const session = kept.get(id)
      if (session === undefined || !parts.ownsSession(session.subject, subjectOf(auth))) {
        return Response.json(
          { jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null },
          { status: 404 },
        )
      }
      return session.transport.handleRequest(request, auth && { authInfo: auth })
    },
    async close() {
      await Promise.all([...kept.values()].map(({ transport }) => transport.close()))
      await Promise.all(clearing)
    },
  }
}

function subjectOf(auth: AuthInfo | undefined): unknown {
  return auth?.extra?.['subject']
}
