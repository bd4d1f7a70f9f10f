/** Turns HTTP requests into exchanges, and what comes of them into HTTP answers; reports both. */

import { outcomeOf, type Outcome, type Script } from './answer-exchange.ts'
import { anthropicError, geminiError, openAiError } from './model-errors.ts'
import type { ModelEvent } from './model-reply.ts'
import { modelsDocument } from './models-list.ts'
import { presentedSecrets } from './presented-secrets.ts'
import type { Refusal } from './reading.ts'
import { readBody } from './request-body.ts'
import { dialectOf, routeOf, type Dialect } from './routes.ts'
import { streamOf } from './server-sent-events.ts'
import { understand } from './understand.ts'

export interface Handling extends Script {
  readonly report: (event: ModelEvent) => void
}

/** The function that answers every request of one endpoint. */
export function createHandler(handling: Handling): (request: Request) => Promise<Response> {
  const { report, ids, adapters } = handling
  let exchanges = 0
  return async (request) => {
    const exchange = `model-${++exchanges}`
    const { method, url } = request
    const headers = Object.fromEntries(request.headers)
    const route = routeOf(new URL(url).pathname)
    const dialect = dialectOf(route, headers)
    const body = await readBody(request)
    const understood =
      route.kind === 'list' || route.kind === 'retrieve'
        ? modelsDocument(route, method, dialect)
        : understand({ exchange, method, route, headers, body, adapters })
    report({
      type: 'request',
      exchange,
      method,
      url,
      headers,
      body,
      secrets: presentedSecrets(headers),
      ...('request' in understood ? understood : {}),
    })
    const outcome =
      'request' in understood
        ? await outcomeOf(understood.request, body.bytes, request.signal, handling)
        : understood
    return send(outcome, exchange, dialect, ids.alphanumeric('req_01', 22), report)
  }
}

function send(
  outcome: Outcome,
  exchange: string,
  dialect: Dialect,
  requestId: string,
  report: (event: ModelEvent) => void,
): Response {
  if ('failure' in outcome) {
    report({ type: 'failure', exchange, ...outcome.failure })
    // Nobody is there to read it, except in process.
    if (outcome.failure.code !== 'script') return new Response(null, { status: 503 })
    const refusal = { status: 500, message: 'The scripted model failed.' }
    return send({ refusal }, exchange, dialect, requestId, report)
  }
  const { status, written, ...said } =
    'refusal' in outcome
      ? { ...writtenError(outcome.refusal, dialect, requestId), toolCalls: [] }
      : { status: 200, ...outcome }
  const streamed = 'frames' in written
  const text = streamed ? written.frames.join('') : JSON.stringify(written.body)
  const headers = {
    'content-type': streamed ? 'text/event-stream; charset=utf-8' : 'application/json',
    ...(streamed ? { 'cache-control': 'no-cache' } : {}),
    [dialect === 'anthropic' ? 'request-id' : 'x-request-id']: requestId,
  }
  const sent = { text, bytes: Buffer.byteLength(text) }
  report({ type: 'response', exchange, status, headers, body: sent, ...said })
  return new Response(streamed ? streamOf(written.frames) : text, { status, headers })
}

function writtenError(refusal: Refusal, dialect: Dialect, requestId: string) {
  return { status: refusal.status, written: { body: errors[dialect](refusal, requestId) } }
}

const errors = { openai: openAiError, anthropic: anthropicError, gemini: geminiError }
