/**
 * Clients that close their side of a connection once they have sent their request still read an answer: TCP allows it
 * (RFC 9293 §3.6), and RFC 9112 §9.6 has servers read on likewise. Over TLS 1.2 it ends both sides (RFC 5246 §7.2.1).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:net'

/**
 * Milliseconds after a request within which its connection is half closed because nothing else is to be sent. Who closes
 * it later has waited, and given up: the same bytes on the wire.
 */
const atOnce = 1000

/** Lets a server of `node:http` answer who has closed their side, unless they have given up. */
export function answerHalfClosed(server: Pick<Server, 'on'>): void {
  // What node:http reads of it; otherwise it ends the connection without an answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    let sent = performance.now()
    incoming.once('end', () => (sent = performance.now()))
    const leave = (): void => {
      if (performance.now() - sent > atOnce) socket.destroy()
    }
    socket.once('end', leave)
    outgoing.once('close', () => socket.off('end', leave))
  })
}
