/** How the harness speaks HTTP: one request, one bounded answer, no redirect followed, nothing hidden. */

import { STATUS_CODES } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createSecureContext } from 'node:tls'
import { MIMEType } from 'node:util'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Agent, request as send } from 'undici'
import { timeIsUp, withDeadline, type BusyFor } from '../engine/deadline.ts'
import { ownTrouble } from '../engine/own-trouble.ts'
import type { Body } from '../engine/recording/event.ts'

/** Largest body that is read from an implementation, in bytes; the rest is cut and marked. */
export const bodyLimit = 1024 * 1024

/** Largest body once its content coding is undone, in bytes; one that would be larger stays as it came. */
export const decodedLimit = 64 * bodyLimit

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether a connection may be used again. Only to a peer that never restarts; default: a new one. */
  readonly keepAlive?: boolean | undefined
  /** Milliseconds until the complete answer must have arrived. */
  readonly within: number
  /**
   * Milliseconds for its body, once the status is there, where it is the status that answers: what has not come by then is
   * not waited for. Default: until the whole answer is due.
   */
  readonly bodyWithin?: number | undefined
}

/** The answer to one request. */
export interface HttpResponse {
  readonly status: number
  /** The reason phrase, where it is not the usual one: it may say anything. */
  readonly reason?: string
  /** Names in lower case; repeated headers joined by a line feed (so that cookies stay apart). */
  readonly headers: Record<string, string>
  readonly body: Body
}

/** No usable answer: refused, reset, too late, not HTTP. `code` is stable. */
export class HttpFailure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'HttpFailure'
    this.code = code
  }
}

/** Sends one request. Rejects with {@link HttpFailure}, unless this machine lacks something. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

/** Real sockets; a new connection for each request unless told, so that a restart of the peer is never hidden. */
export function networkTransport(
  ca?: readonly string[],
  lookup?: LookupFunction,
  busyFor?: BusyFor,
): Transport {
  // One context for all connections: making one costs more than the handshake.
  const secureContext = createSecureContext(ca && ca.length > 0 ? { ca: [...ca] } : {})
  const connect = { secureContext, ...(lookup && { lookup }) }
  const fresh = new Agent({ pipelining: 0, connect })
  const kept = new Agent({ connect })
  return ({ method, url, headers, body, signal, within, bodyWithin, keepAlive = false }) =>
    withDeadline(
      within,
      signal,
      async (aborted) => {
        try {
          const answer = await send(url, {
            method: method as 'GET',
            headers: { 'accept-encoding': 'identity', ...headers },
            body: body ?? null,
            dispatcher: keepAlive ? kept : fresh,
            signal: aborted,
          })
          return {
            ...statusOf(answer.statusCode, answer.statusText),
            headers: flattenHeaders(answer.headers),
            body: await readAnswer(answer.body, answer.headers, bodyWithin),
          }
        } catch (error) {
          if (aborted.reason === timeIsUp)
            throw new HttpFailure('timeout', `no complete answer within ${within} ms`)
          throw asFailure(error)
        }
      },
      busyFor,
    )
}

/** A status with its reason phrase, where that is not the usual one. */
export function statusOf(status: number, reason: string): Pick<HttpResponse, 'status' | 'reason'> {
  return reason === '' || reason === STATUS_CODES[status] ? { status } : { status, reason }
}

/** Reads a body up to the limit, and no longer than so many milliseconds where there is a limit of time. */
export async function readAnswer(
  body: Readable,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  within: number | undefined,
): Promise<Body> {
  const chunks: Buffer[] = []
  let length = 0
  let isCut = false
  const stop = (): void => {
    isCut = true
    body.destroy()
  }
  const timer = within === undefined ? undefined : setTimeout(stop, within)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > bodyLimit) break
    }
  } catch (error) {
    if (!isCut) throw error
  } finally {
    clearTimeout(timer)
  }
  const { 'content-encoding': coding, 'content-type': type } = headers
  const read = bodyOf(decoded(Buffer.concat(chunks), coding), [type].flat()[0])
  return isCut ? { ...read, truncated: true } : read
}

/**
 * What went wrong with a connection, with the code that its stack gives it. What this machine lacks is no
 * {@link HttpFailure}: nobody takes it for an answer.
 */
export function asFailure(error: unknown): Error {
  const own = ownTrouble(error)
  if (own !== undefined) return new Error(own, { cause: error })
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
  return new HttpFailure(code, cause.message || code)
}

/** A body without its content coding, so that it can be read and scanned; as it is where that fails. */
function decoded(bytes: Buffer, coding: string | string[] | undefined): Buffer {
  const limits = { maxOutputLength: decodedLimit }
  try {
    switch (String(coding).trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, limits)
      case 'deflate':
        return inflateSync(bytes, limits)
      case 'br':
        return brotliDecompressSync(bytes, limits)
      default:
        return bytes
    }
  } catch {
    return bytes
  }
}

/** Names in lower case, and one string for each. */
export function flattenHeaders(headers: Record<string, string | string[] | undefined>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join('\n') : (value ?? ''),
    ]),
  )
}

/**
 * A body as the transcript holds it; invalid UTF-8 is replaced and marked. A page is read as browsers read it, in the
 * character set that its type names (RFC 9110 §8.3.2); JSON has one only (RFC 8259 §8.1).
 */
export function bodyOf(bytes: Uint8Array, type = ''): Body {
  const kept = bytes.length > bodyLimit ? bytes.subarray(0, bodyLimit) : bytes
  const page = pageDecoder(type)
  if (page) {
    const cut = bytes.length > bodyLimit ? { truncated: true as const } : {}
    return { text: page.decode(kept), bytes: bytes.length, ...cut }
  }
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept),
    bytes: bytes.length,
    ...(bytes.length > bodyLimit ? { truncated: true as const } : {}),
    ...(isUtf8(kept, bytes.length > bodyLimit) ? {} : { invalidUtf8: true as const }),
  }
}

/** What reads a page in another character set than UTF-8. */
function pageDecoder(type: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    const { essence, params } = new MIMEType(type)
    const charset = params.get('charset')
    if (charset === null || !/^text\/|xhtml/.test(essence)) return undefined
    const decoder = new TextDecoder(charset)
    return decoder.encoding === 'utf-8' ? undefined : decoder
  } catch {
    return undefined
  }
}

/** A body that was cut may end within a character. */
function isUtf8(bytes: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
    return true
  } catch {
    return false
  }
}
