import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { watchWebSocket } from './web-socket.ts'

/** What every handshake is answered with (RFC 6455 §1.3). */
const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const hi = [0x68, 0x69]

test.each([
  ['a text message', [[0x81, 2, ...hi]]],
  ['a binary message with text', [[0x82, 2, ...hi]]],
  [
    'a text message after a binary one that is none',
    [
      [0x82, 1, 0xff],
      [0x81, 2, ...hi],
    ],
  ],
])('a server that sends %s and never closes is not waited for', async (_, frames) => {
  const server = createServer().on('upgrade', ({ headers }, socket) => {
    const key = createHash('sha1').update(`${headers['sec-websocket-key']}${guid}`).digest('base64')
    socket.on('error', () => undefined)
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    )
    for (const frame of frames) socket.write(Buffer.from(frame))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const watching = new AbortController()
  const seen: string[] = []
  await watchWebSocket({
    url: `http://127.0.0.1:${port}/`,
    source: 'websocket',
    headers: {},
    signal: watching.signal,
    onText({ text }) {
      seen.push(text)
      watching.abort()
    },
  })
  expect(seen).toEqual(['hi'])
})
