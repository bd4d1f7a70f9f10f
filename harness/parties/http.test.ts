import { createServer as createTcpServer, type Server } from 'node:net'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import {
  HttpFailure,
  asFailure,
  bodyLimit,
  bodyOf,
  networkTransport,
  type HttpRequest,
} from './http.ts'

const servers: Server[] = []
const send = networkTransport()

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
        }),
    ),
  )
})

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const served = (listener: RequestListener) => listen(createServer(listener))
/** Answers every connection with these bytes. */
const answering = (bytes: string, end = true) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => (end ? socket.end(bytes) : socket.write(bytes)))
    }),
  )

const get = (url: string, options: Partial<HttpRequest> = {}) =>
  send({ method: 'GET', url, headers: {}, within: 10_000, ...options })

async function failureOf(sent: Promise<unknown>): Promise<HttpFailure> {
  const error: unknown = await sent.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(HttpFailure)
  return error as HttpFailure
}

describe('an answer', () => {
  test('comes with status, headers in lower case and its body', async () => {
    const url = await served((_, response) => {
      response.writeHead(418, { 'X-One': 'a', 'Set-Cookie': ['a=1; Path=/', 'b=2'] }).end('{"x":1}')
    })
    expect(await get(url)).toMatchObject({
      status: 418,
      headers: { 'x-one': 'a', 'set-cookie': 'a=1; Path=/\nb=2' },
      body: { text: '{"x":1}', bytes: 7 },
    })
  })

  test('has its reason phrase where that is not the usual one', async () => {
    const usual = await served((_, response) => void response.writeHead(404).end())
    expect(await get(usual)).not.toHaveProperty('reason')
    const other = await served((_, response) => void response.writeHead(404, 'No at_1').end())
    expect(await get(other)).toMatchObject({ status: 404, reason: 'No at_1' })
  })

  test('is a redirect that was not followed', async () => {
    const url = await served(
      (_, response) => void response.writeHead(302, { location: '/x' }).end(),
    )
    expect(await get(url)).toMatchObject({ status: 302, headers: { location: '/x' } })
  })

  test('belongs to what was sent', async () => {
    const url = await served((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('latin1')
        response.end(JSON.stringify([request.method, request.headers['x-a'], request.url, body]))
      })
    })
    const body = Buffer.from([0x61, 0xff])
    const answer = await get(`${url}a%2Fb?c=%20`, { method: 'POST', headers: { 'x-a': '1' }, body })
    expect(JSON.parse(answer.body.text)).toEqual(['POST', '1', '/a%2Fb?c=%20', 'a\u00ff'])
  })

  test('has a new connection each time', async () => {
    const ports = new Set<number | undefined>()
    const url = await served((request, response) => {
      ports.add(request.socket.remotePort)
      response.end()
    })
    await get(url)
    await get(url)
    expect(ports.size).toBe(2)
  })

  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is read without its content coding: %s', async (coding, compress) => {
    let accepted: string | undefined
    const url = await served((request, response) => {
      accepted = request.headers['accept-encoding']
      response.writeHead(200, { 'content-encoding': coding }).end(compress('plain é'))
    })
    expect((await get(url)).body.text).toBe('plain é')
    expect(accepted).toBe('identity')
  })

  test('is left as it is where its coding is a lie', async () => {
    const url = await served((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain')
    })
    expect((await get(url)).body.text).toBe('plain')
  })

  test('that unpacks to more than the limit is cut and marked', async () => {
    const url = await served((_, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync('x'.repeat(bodyLimit + 9)))
    })
    expect((await get(url)).body.truncated).toBe(true)
  })

  test('is cut and marked where it is too long', async () => {
    const url = await served((_, response) => void response.end('x'.repeat(bodyLimit * 2)))
    const { body } = await get(url)
    expect(body.text).toHaveLength(bodyLimit)
    expect(body.truncated).toBe(true)
    expect(body.bytes).toBeGreaterThan(bodyLimit)
  })

  test('that never ends is cut too', async () => {
    const url = await served((_, response) => {
      const flood = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', flood)
      }
      flood()
    })
    expect((await get(url)).body.truncated).toBe(true)
  })
})

describe('no answer', () => {
  test('within the deadline', async () => {
    const url = await served(() => undefined)
    const failure = await failureOf(get(url, { within: 20 }))
    expect(failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('20 ms') })
  })

  test('that is complete within the deadline', async () => {
    const url = await served((_, response) => void response.writeHead(200).write('half'))
    expect((await failureOf(get(url, { within: 50 }))).code).toBe('timeout')
  })

  test('only where its body is what was asked for', async () => {
    const url = await served((_, response) => void response.writeHead(200).write('half'))
    const answer = await get(url, { within: 10_000, bodyWithin: 50 })
    expect(answer).toMatchObject({ status: 200, body: { text: 'half', truncated: true } })
    const whole = await served((_, response) => void response.end('whole'))
    const { body } = await get(whole, { within: 10_000, bodyWithin: 10_000 })
    expect(body).toEqual({ text: 'whole', bytes: 5 })
  })

  test('because the connection is refused', async () => {
    const url = await served(() => undefined)
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve))
    expect((await failureOf(get(url))).code).toBe('ECONNREFUSED')
  })

  test('because the connection is closed', async () => {
    expect(await failureOf(get(await answering('')))).toBeInstanceOf(HttpFailure)
  })

  test('because it is not HTTP', async () => {
    expect((await failureOf(get(await answering('SSH-2.0-OpenSSH_9.6\r\n')))).code).toMatch(/\w/)
  })

  test('because its body breaks off', async () => {
    const url = await answering('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
    expect((await failureOf(get(url))).code).toMatch(/\w/)
  })

  test('because the run was interrupted', async () => {
    const controller = new AbortController()
    const url = await served(() => controller.abort())
    const failure = await failureOf(get(url, { signal: controller.signal }))
    expect(failure.code).not.toBe('timeout')
  })

  test('because it was interrupted before', async () => {
    const url = await served((_, response) => void response.end())
    expect(await failureOf(get(url, { signal: AbortSignal.abort() }))).toBeInstanceOf(HttpFailure)
  })

  test('because there is nothing to send to', async () => {
    expect(await failureOf(get('no url'))).toBeInstanceOf(HttpFailure)
    expect(await failureOf(get('ftp://127.0.0.1/'))).toBeInstanceOf(HttpFailure)
  })
})

describe('a body', () => {
  test('keeps its bytes counted and its text readable', () => {
    expect(bodyOf(Buffer.from('é'))).toEqual({ text: 'é', bytes: 2 })
    expect(bodyOf(Uint8Array.of(0xc3))).toEqual({ text: '\ufffd', bytes: 1, invalidUtf8: true })
  })

  test('that is valid UTF-8 is not called invalid because it was cut', () => {
    const body = bodyOf(Buffer.from(`${'x'.repeat(bodyLimit - 1)}é`))
    expect(body).toMatchObject({ truncated: true })
    expect(body).not.toHaveProperty('invalidUtf8')
  })

  test.each([
    ['text/html; charset=UTF-16LE', Buffer.from('\ufeffé', 'utf16le'), 'é'],
    ['text/html; charset="iso-8859-1"', Buffer.from('é', 'latin1'), 'é'],
    ['text/html; charset=shift_jis', Uint8Array.of(0x93, 0xfa), '日'],
  ])('of a page is read in its character set: %s', (type, bytes, text) => {
    expect(bodyOf(bytes, type)).toEqual({ text, bytes: bytes.length })
  })

  test.each([
    'application/json; charset=iso-8859-1',
    'text/html; charset=nobody-knows',
    'text/html',
    'html; charset=latin1',
  ])('is read as UTF-8: %s', (type) => {
    expect(bodyOf(Buffer.from('é', 'latin1'), type)).toMatchObject({ invalidUtf8: true })
  })

  test('keeps a byte order mark: JSON that begins with one is not valid (RFC 8259 §8.1)', () => {
    expect(bodyOf(Buffer.from('\ufeff{}')).text).toBe('\ufeff{}')
  })
})

test.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOSPC'])(
  '%s is what this machine lacks, and no failure of the peer',
  (code) => {
    const failure = asFailure(Object.assign(new Error('connect'), { code }))
    expect(failure).not.toBeInstanceOf(HttpFailure)
    expect(failure.message).toContain(code)
    expect(asFailure(Object.assign(new Error('connect'), { code: 'ECONNRESET' }))).toBeInstanceOf(
      HttpFailure,
    )
  },
)
