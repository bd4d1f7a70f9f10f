/** Oddities of how messages travel. */

import {
  agreeingOn,
  alterHandling,
  alterMessages,
  fieldsOf,
  messageIn,
  type Fields,
} from '../defects/alter.ts'
import type { Parts } from '../parts.ts'
import { onGetStream } from './get-stream.ts'
import type { Oddity } from './oddity.ts'

const http = 'MCP 2025-11-25 Transports, Streamable HTTP'

/** Messages of all sessions that are taken in one second. */
const mostMessages = 40

function escapingSlashes(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  return new TransformStream({
    transform(chunk, controller) {
      const text = decoder.decode(chunk, { stream: true })
      controller.enqueue(encoder.encode(text.replaceAll('/', String.raw`\/`)))
    },
  })
}

export const transportOddities: readonly Oddity[] = [
  {
    id: 'get-stream-for-requests',
    description: 'requests to the client, and complete, come on the GET stream',
    permitted: `${http}, Listening for Messages from the Server: requests and notifications`,
    touches: ['connect-and-complete', 'answered-with-decline', 'two-sessions'],
    parts: () => onGetStream(),
  },
  {
    id: 'json-answers',
    description: 'a POST is answered by JSON, and everything else comes on the GET stream',
    permitted: `${http}, Sending Messages to the Server: application/json or text/event-stream`,
    touches: ['connect-and-complete', 'answered-with-decline', 'two-sessions'],
    parts: (defaults) => ({
      ...onGetStream(),
      createTransport: (options) =>
        defaults.createTransport({ ...options, enableJsonResponse: true }),
    }),
  },
  {
    id: 'messages-with-escapes',
    description: 'slashes are escaped in the JSON of every message, as PHP does',
    permitted: 'RFC 8259 §7: any character may be escaped',
    touches: ['connect-and-complete', 'answered-with-decline', 'modern'],
    parts: (defaults) =>
      alterHandling(defaults, async (handle, request, more) => {
        const response = await handle(request, more)
        return new Response(response.body?.pipeThrough(escapingSlashes()), response)
      }),
  },
  {
    id: 'get-and-delete-refused',
    description: 'there is no GET stream, and a session cannot be ended: 405',
    permitted: `${http}: the server MUST either stream or return 405; MAY respond 405 to DELETE`,
    touches: ['connect-and-complete', 'two-sessions'],
    parts: (defaults) =>
      alterHandling(defaults, async (handle, request, more) =>
        request.method === 'POST'
          ? handle(request, more)
          : new Response(null, { status: 405, headers: { allow: 'POST' } }),
      ),
  },
  {
    id: 'argument-in-a-header',
    description: 'an argument of the tool is to be repeated in a header (2026-07-28)',
    permitted:
      'MCP 2026-07-28 Streamable HTTP, Custom Headers from Tool Parameters: a tool MAY mark them by x-mcp-header',
    touches: ['connect-and-complete', 'modern', 'missing-input', 'state-of-another-request'],
    parts: (defaults) => markingLimit(defaults),
    configuration: { tool: { arguments: { limit: 5 } } },
  },
  {
    id: 'older-revision',
    description: 'it negotiates 2025-06-18, whatever is offered',
    permitted: 'MCP Lifecycle, Version Negotiation: the server MUST respond with one it supports',
    touches: ['connect-and-complete', 'form-only'],
    parts: (defaults) => agreeingOn(defaults, '2025-06-18'),
  },
  {
    id: 'refuses-clients-without-url-mode',
    description: 'a client that has not declared URL mode is refused when it connects',
    permitted:
      'MCP 2025-11-25 Lifecycle, Error Handling: failure to negotiate required capabilities',
    touches: ['no-elicitation', 'empty-elicitation', 'form-only', 'whole-run'],
    parts: (defaults) =>
      alterHandling(defaults, async (handle, request, more) => {
        const { id, method, params } = await messageIn(request)
        const { elicitation } = fieldsOf(fieldsOf(params)['capabilities'])
        if (method !== 'initialize' || fieldsOf(elicitation)['url'] !== undefined)
          return handle(request, more)
        const error = { code: -32_602, message: 'Only for clients with elicitation in URL mode.' }
        return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 })
      }),
  },
  {
    id: 'messages-limited',
    description: 'of the messages of all clients within a second the 41st and later ones get 429',
    permitted: 'RFC 6585 §4: Too Many Requests, with Retry-After',
    touches: ['connect-and-complete', 'answered-with-decline', 'two-sessions'],
    parts(defaults) {
      let second = 0
      let taken = 0
      const isTooMuch = (): boolean => {
        const now = Math.floor(Date.now() / 1000)
        if (now !== second) taken = 0
        second = now
        taken += 1
        return taken > mostMessages
      }
      const refusal = { status: 429, headers: { 'retry-after': '1' } }
      return alterHandling(defaults, async (handle, request, more) =>
        isTooMuch() ? new Response('Too many requests', refusal) : handle(request, more),
      )
    },
  },
  {
    id: 'modern-answers-as-events',
    description: 'requests of 2026-07-28 are answered by an event stream',
    permitted: 'MCP 2026-07-28 Transports, Streamable HTTP: JSON or an event stream',
    touches: ['modern'],
    parts: (defaults) => ({
      async serveModern(handler, request, auth) {
        const response = await defaults.serveModern(handler, request, auth)
        const isJson = response.headers.get('content-type')?.startsWith('application/json')
        if (response.status !== 200 || isJson !== true) return response
        const event = `: one moment\n\nevent: message\ndata: ${await response.text()}\n\n`
        return new Response(event, { headers: { 'content-type': 'text/event-stream' } })
      },
    }),
  },
]

/** The argument `limit` is marked in the list of tools, and a call whose header differs from it is refused. */
function markingLimit(defaults: Parts): ReturnType<typeof alterMessages> {
  const altered = alterMessages(defaults, (message) => {
    const result = fieldsOf(message['result'])
    const { tools } = result
    if (!Array.isArray(tools)) return message
    return { ...message, result: { ...result, tools: tools.map((tool) => marked(fieldsOf(tool))) } }
  })
  return {
    ...altered,
    async serveModern(handler, request, auth) {
      const { id, method, params } = fieldsOf(await request.clone().json())
      const { limit } = fieldsOf(fieldsOf(params)['arguments'])
      const header = request.headers.get('mcp-param-limit')
      if (method === 'tools/call' && header !== (JSON.stringify(limit) ?? null)) {
        const error = { code: headerMismatch, message: 'Mcp-Param-Limit differs from limit' }
        return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 })
      }
      return altered.serveModern(handler, request, auth)
    },
  }
}

/** 2026-07-28, Streamable HTTP, Server Validation. */
const headerMismatch = -32020

function marked(tool: Fields): Fields {
  const schema = fieldsOf(tool['inputSchema'])
  const properties = fieldsOf(schema['properties'])
  const limit = { ...fieldsOf(properties['limit']), 'x-mcp-header': 'Limit' }
  return { ...tool, inputSchema: { ...schema, properties: { ...properties, limit } } }
}
