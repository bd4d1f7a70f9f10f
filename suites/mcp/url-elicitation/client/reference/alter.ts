/** Puts something between this client and the wire, for mistakes that its SDK does not make. */

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Parts } from './parts.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What is done to messages; each gets a message and gives the one that goes on. */
export interface Alterations {
  /** `undefined` is not sent. */
  readonly outgoing?: (message: Fields) => Fields | undefined
  readonly incoming?: (message: Fields) => Fields
}

/** The transport of every server, with the same alterations. */
export function altering(
  { createTransport }: Parts,
  { outgoing = same, incoming = same }: Alterations,
): Pick<Parts, 'createTransport'> {
  return {
    createTransport(spec) {
      const transport = createTransport(spec)
      const send = transport.send.bind(transport)
      transport.send = async (message, options) => {
        const altered = outgoing(message)
        if (altered) await send(altered as JSONRPCMessage, options)
      }
      let taken: Transport['onmessage']
      Object.defineProperty(transport, 'onmessage', {
        get: () => {
          const take = taken
          return (
            take &&
            ((message: Fields, extra: undefined) =>
              take(incoming(message) as JSONRPCMessage, extra))
          )
        },
        set(take: Transport['onmessage']) {
          taken = take
        },
      })
      return transport
    },
  }
}

function same(message: Fields): Fields {
  return message
}

/** The parameters of a message, changed. */
export function withParams(message: Fields, change: (params: Fields) => Fields): Fields {
  return { ...message, params: change((message['params'] ?? {}) as Fields) }
}

/** Whether a message is the retry of a call, with what was asked for. */
export function isRetry({ params }: Fields): boolean {
  return typeof params === 'object' && params !== null && 'inputResponses' in params
}

const inRequests = 'io.modelcontextprotocol/clientCapabilities'

/** A message in which the client declares other capabilities than it has. */
export function declaring(message: Fields, capabilities: Fields): Fields {
  return withParams(message, (params) => {
    const meta = params['_meta'] as Fields | undefined
    return {
      ...params,
      ...('capabilities' in params ? { capabilities } : {}),
      ...(meta && inRequests in meta ? { _meta: { ...meta, [inRequests]: capabilities } } : {}),
    }
  })
}

/** A text in its place, whatever a defect makes of it. */
export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
