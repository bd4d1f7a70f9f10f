/** The MCP endpoint over Streamable HTTP: 2026-07-28 without sessions, older revisions with them. */

import {
  createMcpHandler,
  isLegacyRequest,
  originValidationResponse,
} from '@modelcontextprotocol/server'

import { authenticate } from '../access/authenticate.ts'
import type { Work } from '../work.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { createSessions } from './sessions.ts'

export interface McpEndpoint {
  readonly handle: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
}

export function createEndpoint(work: Work): McpEndpoint {
  const { parts, settings } = work
  const sessions = createSessions(work)
  const onerror = () => {}
  const modern = createMcpHandler(() => createMcpServer(work, 'modern'), {
    legacy: 'reject',
    onerror,
  })
  const host = new URL(settings.publicUrl).hostname
  return {
    async handle(request) {
      // A page of another site must not reach it by rebinding a name (MCP Transports, Security).
      const refused = originValidationResponse(request, [host])
      if (refused) return refused
      const access = await authenticate(work, request)
      if (access instanceof Response) return access
      if (await isLegacyRequest(request)) return sessions.handle(request, access)
      return parts.serveModern(modern, request, access)
    },
    async close() {
      await Promise.all([sessions.close(), modern.close()])
    },
  }
}
