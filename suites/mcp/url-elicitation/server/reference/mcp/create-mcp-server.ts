/** The MCP server of one session, one connection, or one request: its tool, on the official SDK. */

import { CLIENT_CAPABILITIES_META_KEY, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { Work } from '../work.ts'
import type { Call } from './call.ts'
import { listItems } from './list-items.ts'

// Arguments that we do not know are part of the call all the same: state is bound to them.
const listArguments = z.looseObject({
  limit: z.int().positive().optional().describe('How many items at most'),
})

export function createMcpServer(work: Work, era: Call['era']): McpServer {
  const server = new McpServer(
    { name: 'items', version: '1.0.0' },
    { requestState: { verify: (state, context) => work.requestState.verify(state, context) } },
  )
  server.registerTool(
    'list_items',
    {
      title: 'List items',
      description: 'Lists the items of the user.',
      inputSchema: listArguments,
      annotations: { readOnlyHint: true },
    },
    (args, context) => {
      // Declared with each request, or once for the session.
      const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {}
      const capabilities =
        era === 'modern'
          ? envelope[CLIENT_CAPABILITIES_META_KEY]
          : server.server.getClientCapabilities()
      const principal = work.parts.principalOf(context)
      return listItems(work, { era, principal, arguments: args, capabilities, context, server })
    },
  )
  return server
}
