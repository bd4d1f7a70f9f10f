import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { parseCallbackUrl } from './callback-url.ts'
import { post } from './post.ts'

test.each([
  ['/a/../b/./c', '/a/../b/./c'],
  ['/%7Euser/%2e%2E//x?b=2&a=1&b=%20+|"', '/%7Euser/%2e%2E//x?b=2&a=1&b=%20+|"'],
  ['?only=query', '/?only=query'],
  ['', '/'],
  ['/é x#fragment', '/%C3%A9%20x'],
])('posts to %s as it is', async (given, requested) => {
  const seen: { request: IncomingMessage; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ request, body })
      response.writeHead(202).end('ignored')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  try {
    const url = `http://127.0.0.1:${bound.port}${given}`
    const headers = { 'content-type': 'application/json' }
    const status = await post({ url, headers, body: '"é"' }, AbortSignal.timeout(5000))
    expect(status).toBe(202)
    expect(seen).toHaveLength(1)
    expect(seen[0]?.request.url).toBe(requested)
    expect(seen[0]?.request.headers['content-type']).toBe('application/json')
    expect(seen[0]?.body).toBe('"é"')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test.each([
  ['/relative'],
  ['ftp://host/'],
  [' http://host/'],
  ['http:///path'],
  ['http:\\\\host'],
  ['http://a\\@b/'],
  ['http://host:99999/'],
])('%s is no callback URL', (url) => {
  expect(parseCallbackUrl(url)).toBeUndefined()
})

test('rejects when nobody listens', async () => {
  const message = { url: 'http://127.0.0.1:1/', headers: {}, body: '' }
  await expect(post(message, AbortSignal.timeout(5000))).rejects.toThrow()
})
