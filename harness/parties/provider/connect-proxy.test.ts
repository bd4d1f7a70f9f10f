import { once } from 'node:events'
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { proxyEnvironment, serveConnectProxy, type ConnectProxy } from './connect-proxy.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A server that echoes. */
async function echo(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) =>
      String(data) === 'die' ? socket.resetAndDestroy() : socket.write(data),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

async function proxy(names: Readonly<Record<string, string>> = {}): Promise<ConnectProxy> {
  const served = await serveConnectProxy(new Map(Object.entries(names)))
  closing.push(() => served.close())
  return served
}

async function tunnel({ url }: ConnectProxy, path: string): Promise<[number | undefined, Socket]> {
  const asked = request(url, { method: 'CONNECT', path }).end()
  const [response, socket] = (await once(asked, 'connect')) as [{ statusCode?: number }, Socket]
  closing.push(() => socket.destroy())
  return [response.statusCode, socket]
}

test.each(['github.com', 'GitHub.com', '127.0.0.1'])('leads to %s', async (name) => {
  const port = await echo()
  const [status, socket] = await tunnel(
    await proxy({ 'github.com': '127.0.0.1' }),
    `${name}:${port}`,
  )
  expect(status).toBe(200)
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  socket.write('and back')
  await expect.poll(() => text).toBe('and back')
})

test('what breaks off behind it breaks off before it', async () => {
  const port = await echo()
  const [, socket] = await tunnel(await proxy(), `127.0.0.1:${port}`)
  socket.on('error', () => undefined).write('die')
  await once(socket.resume(), 'close')
})

test.each([
  ['nobody listens', '127.0.0.1:1', 502],
  ['no port is named', 'github.com', 400],
  ['the port is none', 'github.com:http', 400],
  ['there can be no such port', '127.0.0.1:99999', 400],
])('where %s', async (_, path, expected) => {
  const [status] = await tunnel(await proxy(), path)
  expect(status).toBe(expected)
})

test('is no proxy for anything else, and outlives who goes away', async () => {
  const served = await proxy()
  expect((await fetch(served.url)).status).toBe(405)
  const client = connect(Number(new URL(served.url).port), '127.0.0.1')
  client.write('CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n', () => client.resetAndDestroy())
  expect(proxyEnvironment(served)).toEqual({ HTTPS_PROXY: served.url, https_proxy: served.url })
  expect((await fetch(served.url)).status).toBe(405)
})
