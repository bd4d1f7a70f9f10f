/** Oddities of who may call, and of the sessions in which they do. */

import { messageIn } from '../defects/alter.ts'
import type { Oddity } from './oddity.ts'

export const accessOddities: readonly Oddity[] = [
  {
    id: 'endpoint-demands-a-scope',
    description: 'tokens have to have a scope of the endpoint, or they are refused',
    permitted: 'MCP 2025-11-25 Authorization, Scope Challenge Handling; RFC 6750 §3.1',
    touches: ['connect-and-complete', 'two-sessions', 'token-other-issuer'],
    parts: (defaults) => ({
      async verifyToken(provider, token) {
        const claims = await defaults.verifyToken(provider, token)
        return claims?.scopes.includes('mcp:tools') === true ? claims : undefined
      },
    }),
    configuration: { target: { scopes: ['mcp:tools'] } },
  },
  {
    id: 'session-ended-between-calls',
    description: 'a session is over when its calls are: the next one is answered by 404',
    permitted:
      'MCP 2025-11-25 Transports, Session Management: the server MAY terminate the session at any time',
    touches: ['connect-and-complete', 'two-sessions', 'foreign-session', 'answered-with-decline'],
    parts: (defaults) => ({
      createTransport(options) {
        const transport = defaults.createTransport(options)
        const calls = new Set<unknown>()
        let served = false
        const send = transport.send.bind(transport)
        transport.send = async (message, sending) => {
          await send(message, sending)
          if ('id' in message && !('method' in message)) served = calls.delete(message.id) || served
        }
        const handle = transport.handleRequest.bind(transport)
        transport.handleRequest = async (request, more) => {
          const { method, id } = await messageIn(request)
          if (served && calls.size === 0 && method !== undefined)
            return Response.json(
              // The SDK gives no id; as readable is the one of the request.
              { jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id },
              { status: 404 },
            )
          if (method === 'tools/call') calls.add(id)
          return handle(request, more)
        }
        return transport
      },
    }),
  },
]
