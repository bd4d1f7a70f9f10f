/** One request whose answer is read as it comes, for protocols that answer with a stream. */

import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import { Agent, request as send } from 'undici'
import { asFailure, flattenHeaders, type HttpRequest } from './http.ts'

/** An answer of which only the head is there. */
export interface StreamedResponse {
  readonly status: number
  /** As those of an answer that is read at once. */
  readonly headers: Readonly<Record<string, string>>
  /** What comes, as it comes; rejects with an HttpFailure where it breaks off. */
  readonly chunks: AsyncIterable<Buffer>
}

/** A request that ends with its signal. */
export type StreamingRequest = Omit<HttpRequest, 'within' | 'keepAlive' | 'signal'> & {
  readonly signal: AbortSignal
  /** Whose requests follow each other on one connection, as long as the peer keeps it; default: nobody's. */
  readonly keptFor?: object | undefined
}

/** Sends one request. Rejects with an HttpFailure only. */
export type StreamingTransport = (request: StreamingRequest) => Promise<StreamedResponse>

/** Real sockets; a new connection for each request unless told, which nothing but its signal ends. */
export function networkStreaming(
  ca?: readonly string[],
  lookup?: LookupFunction,
): StreamingTransport {
  const secureContext = createSecureContext(ca && ca.length > 0 ? { ca: [...ca] } : {})
  const connect = { secureContext, ...(lookup && { lookup }) }
  const settings = { connect, headersTimeout: 0, bodyTimeout: 0 }
  const fresh = new Agent({ ...settings, pipelining: 0 })
  const kept = new WeakMap<object, Agent>()
  const keptFor = (owner: object): Agent => {
    const agent = kept.get(owner) ?? new Agent(settings)
    kept.set(owner, agent)
    return agent
  }
  return async ({ method, url, headers, body, signal, keptFor: owner }) => {
    try {
      const answer = await send(url, {
        method: method as 'GET',
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        dispatcher: owner ? keptFor(owner) : fresh,
        signal,
      })
      return {
        status: answer.statusCode,
        headers: flattenHeaders(answer.headers),
        chunks: chunksOf(answer.body),
      }
    } catch (error) {
      throw asFailure(error)
    }
  }
}

async function* chunksOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw asFailure(error)
  }
}
