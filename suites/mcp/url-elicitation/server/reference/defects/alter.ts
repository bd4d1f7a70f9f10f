/** Shared ways to change what passes through a step, so that each defect states the change alone. */

import {
  UrlElicitationRequiredError,
  type CallToolResult,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server'

import type { Asking } from '../mcp/ask-by-request.ts'
import type { Provider } from '../oauth/provider.ts'
import type { Parts } from '../parts.ts'
import type { BoundFetch } from '../upstream/bound-fetch.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Changes the request by which the user is asked, before 2026-07-28. */
export function alterElicitation(change: (params: Fields) => Fields) {
  return {
    sendElicitation: ({ call, request, timeout }, signal) =>
      call.context.mcpReq.send(
        { method: 'elicitation/create', params: { ...change({ ...request }) } },
        { timeout, signal },
      ),
  } satisfies Partial<Parts>
}

/** Shows a form, whatever becomes of it. */
export async function showForm(
  { call, timeout }: Asking,
  message: string,
  properties: Fields,
): Promise<void> {
  const requestedSchema = { type: 'object', properties }
  const params = { mode: 'form', message, requestedSchema }
  await call.context.mcpReq
    .send({ method: 'elicitation/create', params }, { timeout })
    .catch(() => {})
}

/** Changes every message to a client on its way out, whatever carries it. */
export function alterMessages(
  defaults: Parts,
  change: (message: Fields) => Fields,
): Pick<Parts, 'createTransport' | 'createStdioTransport' | 'serveModern'> {
  // What a defect makes of a message need not be one.
  const altered = (message: JSONRPCMessage): JSONRPCMessage =>
    ({ ...change({ ...message }) }) as unknown as JSONRPCMessage
  return {
    createTransport(options) {
      const transport = defaults.createTransport(options)
      const send = transport.send.bind(transport)
      transport.send = (message, sending) => send(altered(message), sending)
      return transport
    },
    createStdioTransport() {
      const transport = defaults.createStdioTransport()
      const send = transport.send.bind(transport)
      transport.send = (message) => send(altered(message))
      return transport
    },
    async serveModern(handler, request, auth) {
      const response = await defaults.serveModern(handler, request, auth)
      const json = response.headers.get('content-type')?.startsWith('application/json') === true
      if (!json) return response
      const { status } = response
      return Response.json(change(fieldsOf(await response.json())), { status })
    },
  }
}

type Handle = ReturnType<Parts['createTransport']>['handleRequest']

/** Answers requests of sessions in place of the server, or has it answer them. */
export function alterHandling(
  { createTransport }: Pick<Parts, 'createTransport'>,
  answer: (handle: Handle, ...request: Parameters<Handle>) => Promise<Response>,
): Pick<Parts, 'createTransport'> {
  return {
    createTransport(options) {
      const transport = createTransport(options)
      const handle = transport.handleRequest.bind(transport)
      transport.handleRequest = (request, more) => answer(handle, request, more)
      return transport
    },
  }
}

/** The message in a request, where it is JSON; it can be read once more. */
export async function messageIn(request: Request): Promise<Fields> {
  return fieldsOf(
    await request
      .clone()
      .json()
      .catch(() => undefined),
  )
}

/** Has handshakes agree on a revision, whatever is offered. */
export function agreeingOn(defaults: Parts, revision: string): ReturnType<typeof alterMessages> {
  return alterMessages(defaults, (message) => {
    const result = fieldsOf(message['result'])
    return result['protocolVersion'] === undefined || result['capabilities'] === undefined
      ? message
      : { ...message, result: { ...result, protocolVersion: revision } }
  })
}

/** Changes results that require input (2026-07-28). */
export function alterInputRequired(
  defaults: Parts,
  change: (result: Fields) => Fields,
): ReturnType<typeof alterMessages> {
  return alterMessages(defaults, (message) => {
    const result = fieldsOf(message['result'])
    return result['resultType'] === 'input_required'
      ? { ...message, result: change(result) }
      : message
  })
}

/** The input requests of such a result, each changed. */
export function alterInputs(result: Fields, change: (request: Fields) => Fields): Fields {
  const requests = Object.entries(fieldsOf(result['inputRequests']))
  return {
    ...result,
    inputRequests: Object.fromEntries(
      requests.map(([key, request]) => [key, change(fieldsOf(request))]),
    ),
  }
}

/** Answers by the error -32042, as far as its elicitations are these (2025-11-25). */
export function answerByError(defaults: Parts, change: (params: Fields) => readonly Fields[]) {
  return {
    async askByRequest({ request }) {
      const elicitations = change({ ...request })
      // What a defect makes of them need not be elicitations.
      throw new UrlElicitationRequiredError(elicitations as unknown as (typeof request)[])
    },
    describeFailure: rethrowRequired(defaults),
  } satisfies Partial<Parts>
}

export function rethrowRequired(defaults: Parts) {
  return (error: unknown): CallToolResult => {
    if (error instanceof UrlElicitationRequiredError) throw error
    return defaults.describeFailure(error)
  }
}

/** Changes the text of successful results. */
export function alterResults(defaults: Parts, change: (text: string) => string) {
  return {
    describeItems(call, items) {
      const result = defaults.describeItems(call, items)
      return {
        ...result,
        content: result.content.map((each) =>
          each.type === 'text' ? { ...each, text: change(each.text) } : each,
        ),
      }
    },
  } satisfies Partial<Parts>
}

/** Changes requests for access to the API, not those for a login. */
export function alterAuthorizationUrl(defaults: Parts, change: (query: URLSearchParams) => void) {
  return {
    async buildAuthorizationUrl(provider, request) {
      const url = await defaults.buildAuthorizationUrl(provider, request)
      if (request.nonce === undefined) change(url.searchParams)
      return url
    },
  } satisfies Partial<Parts>
}

/** Changes the form of the token request that redeems a code. */
export function alterExchange(defaults: Parts, change: (form: URLSearchParams) => void) {
  return {
    exchangeCode: (provider, grant, now) =>
      defaults.exchangeCode(
        withFetch(provider, (url, init = {}) => {
          const form = new URLSearchParams(init.body instanceof URLSearchParams ? init.body : '')
          change(form)
          return provider.fetch(url, { ...init, body: form })
        }),
        grant,
        now,
      ),
  } satisfies Partial<Parts>
}

export function withFetch(provider: Provider, fetch: BoundFetch): Provider {
  return { ...provider, fetch }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Never settles: what waits for it is lost. */
export function forever<T>(): Promise<T> {
  return new Promise(() => {})
}

/** A page with more in its head. */
export async function withHead(page: Response, more: string): Promise<Response> {
  const text = await page.text()
  return new Response(text.replace('</head>', `${more}</head>`), page)
}

/** JSON that whoever gets it can read. */
export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function decode(text: string) {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

/** Goes on to wherever it is redirected, with everything that was sent. */
export function followingRedirects(send: BoundFetch): BoundFetch {
  return async (url, init) => {
    const response = await send(url, init)
    const location = response.headers.get('location')
    return location === null ? response : send(location, init)
  }
}
