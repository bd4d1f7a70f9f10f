/** Oddities: how the servers are reached, and in which revisions. */

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Oddity } from './oddity.ts'

export const transportOddities: readonly Oddity[] = [
  {
    id: 'over-stdio',
    description: 'the servers are programs that it starts',
    permitted: 'MCP Transports, stdio',
    touches: ['accept', 'complete-twice', 'modern', 'required-error'],
    env: {
      MCP_SERVERS:
        '{"{mcp.name}": {"command": "{mcp.command}"}, "{mcp.name2}": {"command": "{mcp.command2}"}}',
    },
  },
  {
    id: 'no-stream-beside',
    description: 'it opens no stream by GET, and hears nothing between its calls',
    permitted: 'MCP Transports, Listening for Messages from the Server: clients may do so',
    touches: ['accept', 'complete-twice', 'required-error', 'complete-never'],
    parts: () => ({
      createTransport: ({ url = '' }) =>
        new StreamableHTTPClientTransport(new URL(url), {
          fetch: (target, init) =>
            init?.method === 'GET'
              ? Promise.resolve(new Response(null, { status: 405 }))
              : fetch(target, init),
        }),
    }),
  },
  {
    id: 'one-server-only',
    description: 'its user has configured one server',
    permitted: 'MCP Architecture: a host connects to one or more servers',
    touches: ['accept', 'modern'],
    env: { MCP_SERVERS: '{"{mcp.name}": {"url": "{mcp.url}"}}' },
    configuration: { declares: { serverName: 'warehouse' } },
  },
  {
    id: 'without-2026-07-28',
    description: 'it speaks no revision without a handshake',
    permitted: 'MCP Versioning: clients support one or more revisions',
    touches: ['accept', 'complete-early'],
    parts: () => ({ negotiation: () => 'legacy' }),
    configuration: { declares: { modern: undefined } },
  },
  {
    id: 'asked-in-2026-07-28-only',
    description: 'its vendor has it judged in the revision without a handshake',
    permitted: 'MCP Versioning: clients support one or more revisions',
    touches: ['accept', 'thinking-user', 'decline', 'unsafe-url-junk', 'second-server'],
    configuration: { target: { revision: '2026-07-28' } },
  },
]
