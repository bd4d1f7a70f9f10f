/** Lawful variations of how messages travel, and of what the server does with tokens. */

import { authResult } from '../ask-client.ts'
import type { Parts } from '../parts.ts'
import type { Oddity } from '../variation.ts'

const transports = 'MCP 2025-11-25 Transports, Streamable HTTP'

type Fields = Readonly<Record<string, unknown>>

export const transportOddities: readonly Oddity[] = [
  {
    id: 'asks-on-the-get-stream',
    description: 'auth/request comes on the stream of GET, not on that of the call',
    permitted: `${transports}, Listening for Messages from the Server: requests of the server`,
    touches: ['approve', 'declined', 'two-sessions'],
    parts: () => ({
      sendAuthRequest: ({ server }, params, timeout) =>
        server.server.request({ method: 'auth/request', params }, authResult, { timeout }),
    }),
  },
  {
    id: 'older-revision',
    description: 'it negotiates 2025-06-18, whatever is offered',
    permitted: 'MCP Lifecycle, Version Negotiation: the server MUST respond with one it supports',
    touches: ['approve', 'no-capability'],
    parts: (defaults) =>
      onWayOut(defaults, (message) => {
        const result = fieldsOf(message['result'])
        return result['protocolVersion'] === undefined
          ? message
          : { ...message, result: { ...result, protocolVersion: '2025-06-18' } }
      }),
  },
  {
    id: 'notifies-meanwhile',
    description: 'notifications that nobody knows come before auth/request and after it',
    permitted: 'MCP 2025-11-25 Transports: notifications may come before the response',
    touches: ['approve', 'denied'],
    parts: (defaults) => ({
      async sendAuthRequest(call, ...args) {
        const method = 'notifications/items/step'
        const tell = (step: string): Promise<void> =>
          call.context.mcpReq.notify({ method, params: { step } })
        await tell('asking')
        const answer = await defaults.sendAuthRequest(call, ...args)
        await tell('answered')
        return answer
      },
    }),
  },
  {
    id: 'refreshes-early',
    description: 'a token that ends within a minute is as good as expired',
    permitted: 'RFC 6749 §1.5: a client may refresh whenever it likes',
    touches: ['approve', 'stored-token', 'access-token-expired'],
    parts: () => ({
      isExpired: ({ expiresAt }, now) => expiresAt !== null && now + 60_000 >= expiresAt,
    }),
  },
  {
    id: 'capability-among-experimental',
    description: 'the capability is looked for among the experimental ones',
    permitted: 'MCP Lifecycle, Capability Negotiation: experimental ones; declares.capability',
    touches: ['approve', 'no-capability'],
    configuration: { declares: { capability: 'experimental' } },
    parts: (defaults) => ({
      canAsk: (capabilities) => defaults.canAsk(fieldsOf(fieldsOf(capabilities)['experimental'])),
    }),
  },
]

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Changes every message to a client on its way out. */
function onWayOut(defaults: Parts, change: (message: Fields) => Fields) {
  return {
    createTransport(options) {
      const transport = defaults.createTransport(options)
      const send = transport.send.bind(transport)
      transport.send = (message, sending) =>
        send({ ...change({ ...message }) } as unknown as typeof message, sending)
      return transport
    },
  } satisfies Partial<Parts>
}
