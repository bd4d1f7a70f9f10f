/**
 * An HTTP proxy (CONNECT, RFC 9110 §9.3.6) that leads to the mock provider whoever asks for one of its names: for programs
 * that do not ask libc what a name means, but go by `HTTPS_PROXY`. Whatever else is asked for is passed on as it is.
 */

import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { LocalNames } from './local-names.ts'

/** A proxy that listens on this machine. */
export interface ConnectProxy {
  readonly url: string
  readonly close: () => Promise<void>
}

const loopback = '127.0.0.1'
const highestPort = 65_535

/** Listens at a free port of 127.0.0.1. */
export async function serveConnectProxy(names: LocalNames): Promise<ConnectProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  const server = createServer((_, response) => response.writeHead(405, { allow: 'CONNECT' }).end())
  server.on('connection', keep)
  server.on('connect', ({ url = '' }, client, head: Buffer) => {
    const [, host, digits] = /^\[?([^[\]]+)\]?:(\d{1,5})$/.exec(url) ?? []
    const port = Number(digits)
    if (host === undefined || port > highestPort) client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    else keep(tunnel(client, head, { host: names.get(host.toLowerCase()) ?? host, port }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: loopback, port: 0 }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${loopback}:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Passes on what comes from either side, its end included. */
function tunnel(
  client: Duplex,
  head: Buffer,
  to: { readonly host: string; readonly port: number },
) {
  const upstream = connect(to)
  upstream.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.write(head)
    upstream.pipe(client)
    client.pipe(upstream)
  })
  upstream.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  // A connection that breaks off on one side breaks off on the other.
  client.on('error', () => upstream.destroy()).once('close', () => upstream.destroy())
  upstream.once('close', () => client.destroy())
  return upstream
}

/** What makes a program use it for https, this machine itself left out (`NO_PROXY`). */
export function proxyEnvironment({ url }: ConnectProxy): Readonly<Record<string, string>> {
  return { HTTPS_PROXY: url, https_proxy: url }
}
