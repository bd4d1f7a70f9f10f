/** An MCP server that wants a token: it challenges in the results of its tools, and publishes where tokens come from. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Recorder, Run } from '../../../../harness/engine/index.ts'
import { flattenHeaders } from '../../../../harness/parties/http.ts'
import { serveHttp, type HttpServer } from '../../wire/http-server.ts'
import { McpServer, type ToolCall } from '../../wire/server.ts'
import { textIn } from '../../wire/values.ts'
import { bearerFor, challengingResult, usualRules, type Places, type Rules } from './rules.ts'
import { itemsText, metadataChannel, signInText } from './vocabulary.ts'

/** Requests beside the endpoint that are recorded. */
const mostRequests = 300

export interface ProtectedParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly tls: { readonly key: string; readonly cert: string }
  readonly name: string
  readonly tool: string
  readonly modern: boolean
  /** The call that arguments of a tool belong to. */
  readonly callOf: (args: unknown) => string | undefined
  readonly issuer: string
  readonly trap: string
  /** The path of the endpoint. */
  readonly path: string
  /** The server whose host it shares. */
  readonly beneath?: HttpServer | undefined
}

export interface ProtectedServer extends HttpServer {
  readonly name: string
  /** Where it says where tokens come from. */
  readonly metadata: string
  /** Changes what it asks for from now on. */
  follow(rules: Partial<Rules>): void
  /** Takes none of the tokens any more that have been seen so far. */
  expire(): void
  /** Tells it where the other server is. */
  meet(other: string): void
}

/** Starts listening with TLS, on a loopback port or beneath another server. */
export async function startProtectedServer(parts: ProtectedParts): Promise<ProtectedServer> {
  const { recorder, run, tls, name, tool, modern, callOf, issuer, trap, path, beneath } = parts
  const seen = new Set<string>()
  const expired = new Set<string>()
  let rules = usualRules
  let other = ''
  let requests = 0
  let url = ''
  const metadata = (): string => new URL(rules.metadataPath ?? wellKnown + path, url).href
  const places = (): Places => ({ endpoint: url, metadata: metadata(), issuer, other, trap })

  const isTaken = (token: string | undefined): boolean =>
    token !== undefined &&
    run.ledger.find(token)?.kind === 'access_token' &&
    !expired.has(token) &&
    rules.serves !== 'nobody'

  const bearerTo = (token: string | undefined): string =>
    bearerFor(metadata(), token === undefined ? undefined : rules.tokenError, rules.scope)

  /** The answer to a ping is an HTTP request of its own; who gives none is not held up. */
  const pinged = (call: ToolCall): Promise<unknown> => {
    const { signal, timing } = run
    const over = delay(timing.observeMs, undefined, { signal }).catch(() => undefined)
    return Promise.race([call.ask('ping', {}), over])
  }

  const answer = (call: ToolCall): void => {
    const token = bearerIn(call.headers)
    if (token !== undefined) seen.add(token)
    const served = rules.serves === 'all' || isTaken(token)
    const place = call.call === undefined ? {} : { call: call.call }
    const detail = {
      token: token === undefined ? undefined : run.ledger.find(token)?.id,
      credential: token === undefined ? 'none' : 'header',
      route: `tools/call ${tool}`,
      outcome: served ? 'served' : 'refused',
    }
    recorder.record({ type: 'provider', event: 'resource-access', ...place, detail })
    const note = textIn((call.params['arguments'] as { note?: unknown } | undefined)?.note)
    const complete = modern ? { resultType: 'complete' } : {}
    if (served) {
      const content = [{ type: 'text', text: itemsText(note) }]
      const finish = (): void => call.finish({ result: { ...complete, content } })
      if (!rules.pings || modern) return finish()
      return void pinged(call).then(finish)
    }
    const value = rules.challenge(bearerTo(token), places())
    const { isError } = rules
    const result = challengingResult(value, { isError, text: signInText(note) })
    call.finish({ result: { ...complete, ...result } })
  }

  const beside = (request: IncomingMessage, response: ServerResponse): boolean => {
    const asked = request.url ?? '/'
    const { metadataPath } = rules
    const paths = metadataPath === undefined ? [wellKnown, wellKnown + path] : [metadataPath]
    const isMetadata = paths.includes(asked)
    const document = isMetadata ? rules.document(places(), asked) : notFound
    if ((requests += 1) <= mostRequests) {
      const place = { channel: metadataChannel, exchange: recorder.newExchange() }
      const headers = flattenHeaders(request.headers)
      const { method = '' } = request
      const at = new URL(url).origin + asked
      recorder.record({ type: 'request', ...place, method, url: at, headers })
      const { status, headers: sent, body } = document
      const text = { text: body, bytes: Buffer.byteLength(body) }
      recorder.record({ type: 'response', ...place, status, headers: { ...sent }, body: text })
    }
    request.resume()
    response.writeHead(document.status, { ...document.headers }).end(document.body)
    return true
  }

  const mcp = new McpServer({
    recorder,
    name,
    modern,
    info: { name, title: `Server ${name}`, version: '1.0.0' },
    tools: [describeTool(tool)],
    callOf: (params) => callOf(params['arguments']),
    onCall: answer,
  })
  const http = await serveHttp(mcp, {
    tls,
    path,
    beneath,
    beside,
    movedTo: () => rules.movedTo?.(places()),
    unauthorized(headers) {
      const token = bearerIn(headers)
      if (token !== undefined) seen.add(token)
      if (rules.asksBy !== 'http' || isTaken(token)) return undefined
      return bearerTo(token)
    },
  })
  url = http.url
  return {
    name,
    url,
    metadata: metadata(),
    follow: (changes) => (rules = { ...rules, ...changes }),
    expire() {
      for (const token of seen) expired.add(token)
    },
    meet: (server) => (other = server),
    share: (end, listener) => http.share(end, listener),
    close: () => http.close(),
  }
}

/** RFC 9728 §3. */
const wellKnown = '/.well-known/oauth-protected-resource'

const notFound = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' }

/** The token that a request has (RFC 6750 §2.1). */
function bearerIn(headers: Readonly<Record<string, string>>): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
}

function describeTool(name: string) {
  return {
    name,
    description: 'Lists what the account of the user holds.',
    inputSchema: {
      type: 'object',
      properties: {
        note: { type: 'string', description: 'Any text.' },
        limit: { type: 'integer' },
        ratio: { type: 'number' },
        exact: { type: 'boolean' },
        folder: { type: ['string', 'null'] },
        kinds: { type: 'array', items: { type: 'string' } },
        between: { type: 'object', properties: { from: { type: 'number' } } },
      },
    },
  }
}
