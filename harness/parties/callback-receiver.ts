/** Plays the runtime's callback endpoint: a distinct URL for every call, or for several, recorded byte for byte. */

import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { serve, type HttpBindings, type ServerType } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Body } from '../engine/recording/event.ts'
import { senderGaveUp } from '../engine/judging/recorded.ts'
import { freePort } from './free-port.ts'
import { bodyLimit, bodyOf } from './http.ts'
import type { Recorder } from '../engine/recording/recorder.ts'
import { answerHalfClosed, serverOptions } from './server-options.ts'

/** What a callback is answered: a status, `hold` until released, or `reset` of the connection. */
export type Reply = number | 'hold' | 'reset'

/** Chooses the answer; `nth` counts the messages of the call from 0. */
export type ReplyPlan = (body: Body, nth: number) => Reply

/** Where the callback messages of a call arrive, or of several. */
export interface Mailbox {
  /** The `callback_url` of its calls; its path and query must come back untouched. */
  readonly url: string
}

/** Whose messages a mailbox takes, and how it answers them. */
export interface MailboxOptions {
  readonly recorder: Recorder
  readonly call: string
  /** Whose a message is, where several calls share the mailbox; undefined: that of `call`. */
  readonly callOf?: ((body: Body) => string | undefined) | undefined
  readonly reply?: ReplyPlan | undefined
}

/** The receiving end of every callback URL of a run. */
export interface CallbackReceiver {
  readonly origin: string
  readonly fetch: (request: Request) => Promise<Response>
  open(options: MailboxOptions): Mailbox
  /** Lets every held answer go. */
  release(): void
  /** Stops listening, as a runtime that restarts does; connections in progress are cut. */
  pause(): Promise<void>
  /** Listens again on the same port. */
  resume(): Promise<void>
  close(): Promise<void>
}

/** Messages of one call that are recorded; more are answered 429 and only counted. */
export const messageLimit = 100

interface OpenMailbox extends MailboxOptions {
  readonly target: string
  received: number
}

/**
 * Starts a receiver on a loopback port.
 * With `origin` it opens no port: its `fetch` answers for that origin inside the process.
 */
export async function startCallbackReceiver(
  options: { readonly origin?: string; readonly stray?: Recorder } = {},
): Promise<CallbackReceiver> {
  const mailboxes = new Map<string, OpenMailbox>()
  const held = new Set<() => void>()
  let server: ServerType | undefined
  let origin = options.origin ?? ''

  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  app.all('*', async (c) => {
    const target = c.env?.incoming?.url ?? pathAndQuery(c.req.url)
    const mailbox = mailboxOf(mailboxes, target)
    const recorder = mailbox?.recorder ?? options.stray
    const nth = mailbox ? mailbox.received++ : 0
    if (nth >= messageLimit) {
      const detail = { limit: messageLimit, call: mailbox?.call }
      if (nth === messageLimit) recorder?.record({ type: 'step', action: 'callback-flood', detail })
      return c.body(null, 429)
    }
    const exchange = recorder?.newExchange() ?? ''
    const body = await readBody(c.req.raw)
    const call = mailbox ? { call: mailbox.callOf?.(body) ?? mailbox.call } : {}
    recorder?.record({
      type: 'request',
      channel: 'callback',
      exchange,
      ...call,
      method: c.req.method,
      url: origin + target,
      headers: c.req.header(),
      body,
    })
    const answer = async (status: number): Promise<Response> => {
      // Who closed the connection while this process was busy is known once what has arrived is read.
      await setImmediate()
      const noteGivenUp = (): void => {
        if (recorder && !recorder.ended)
          recorder.record({ type: 'step', action: senderGaveUp, ...call, detail: { exchange } })
      }
      const { incoming, outgoing } = c.env ?? {}
      if (incoming ? incoming.socket.destroyed : c.req.raw.signal.aborted) noteGivenUp()
      recorder?.record({
        type: 'response',
        channel: 'callback',
        exchange,
        ...call,
        status,
        headers: {},
      })
      if (!incoming?.socket.readableEnded || !outgoing) return c.body(null, status as 200)
      await answerWhoMayBeGone(outgoing, incoming.socket, status, noteGivenUp)
      return RESPONSE_ALREADY_SENT
    }
    if (!mailbox) return answer(404)
    if (body.truncated) return answer(413)
    const reply = mailbox.reply?.(body, nth) ?? 200
    if (reply === 'hold') {
      await new Promise<void>((release) => held.add(release))
      return answer(200)
    }
    if (reply === 'reset') {
      const message = 'the harness reset the connection'
      recorder?.record({
        type: 'failure',
        channel: 'callback',
        exchange,
        ...call,
        code: 'reset',
        message,
      })
      c.env?.incoming?.socket.resetAndDestroy()
      throw new TypeError(message)
    }
    return answer(reply)
  })
  app.onError((_, c) => c.body(null, 500))

  const listen = async (port: number): Promise<void> => {
    server = await new Promise<ServerType>((resolve, reject) => {
      const starting = serve({ fetch: app.fetch, hostname: '127.0.0.1', port, serverOptions }, () =>
        resolve(starting),
      )
      answerHalfClosed(starting)
      starting.once('error', reject)
    })
  }
  const stop = async (): Promise<void> => {
    const stopping = server
    server = undefined
    if (!stopping) return
    const closed = new Promise<void>((resolve) => void stopping.close(() => resolve()))
    if ('closeAllConnections' in stopping) stopping.closeAllConnections()
    await closed
  }
  const release = (): void => {
    for (const go of held) go()
    held.clear()
  }

  let port = 0
  if (!options.origin) {
    port = await freePort()
    await listen(port)
    origin = `http://127.0.0.1:${port}`
  }
  return {
    get origin() {
      return origin
    },
    fetch: async (request) => app.fetch(request),
    open(mailbox) {
      const token = randomBytes(12).toString('hex')
      const target = `/runtime/callback%2Fv1/${token};v=1/?thread=a%2Fb%20c&sig=Zm9v%3D%3D&sig=2&key=${token}`
      mailboxes.set(token, { ...mailbox, target, received: 0 })
      return { url: origin + target }
    },
    release,
    pause: stop,
    resume: () => listen(port),
    close: async () => {
      release()
      await stop()
    },
  }
}

/**
 * Answers a sender that has closed its side: it still reads (RFC 9112 §9.6), or its own timeout for the request has passed,
 * which looks alike. In two pieces, since only the second one fails where nobody takes the first.
 */
async function answerWhoMayBeGone(
  outgoing: ServerResponse,
  socket: Socket,
  status: number,
  noteGivenUp: () => void,
): Promise<void> {
  socket.once('close', (hasFailed) => {
    if (hasFailed) noteGivenUp()
  })
  outgoing.writeHead(status)
  outgoing.flushHeaders()
  await setImmediate()
  outgoing.end()
}

/** The mailbox whose token stands anywhere in the target: a mangled URL must still be recognised. */
function mailboxOf(mailboxes: Map<string, OpenMailbox>, target: string): OpenMailbox | undefined {
  for (const token of target.match(/[0-9a-f]{24}/g) ?? []) {
    const mailbox = mailboxes.get(token)
    if (mailbox) return mailbox
  }
  return undefined
}

function pathAndQuery(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** Reads at most {@link bodyLimit} bytes. */
export async function readBody(request: Request): Promise<Body> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bodyLimit) break
    }
  } catch {
    // The sender broke off: what arrived is what is recorded.
  }
  return bodyOf(Buffer.concat(chunks))
}
