import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { connect as tlsConnect, type ConnectionOptions } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createAuthority } from '../crypto/authority.ts'
import type { ProviderEvent } from '../log/events.ts'
import { approve, redirectUri } from '../testing.ts'
import type { MockProvider } from './provider.ts'
import { serveMockProvider, type RunningProvider, type ServeOptions } from './serve.ts'

let running: RunningProvider | undefined

afterEach(async () => {
  vi.restoreAllMocks()
  await running?.close()
})

const start = async (options: Pick<ServeOptions, 'path'> = {}) =>
  (running = await serveMockProvider({
    ...options,
    clients: [{ clientId: 'app', redirectUris: [redirectUri] }],
  }))

/** The next event of a type. */
function next(provider: MockProvider, type: ProviderEvent['type']): Promise<ProviderEvent> {
  return new Promise((resolve) => {
    const stop = provider.onEvent((event) => {
      if (event.type !== type) return
      stop()
      resolve(event)
    })
  })
}

const post = (provider: RunningProvider, code: string, signal: AbortSignal | null = null) =>
  fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ code, grant_type: 'authorization_code' }),
    signal,
  })

describe('a served provider', () => {
  test('has an issuer without a default port', async ({ skip }) => {
    const failed = (error: { code?: string }) => error.code ?? 'failed'
    const provider = await serveMockProvider({ port: 80 }).catch(failed)
    skip(typeof provider === 'string', 'port 80 cannot be had here')
    expect(provider).toMatchObject({ issuer: 'http://127.0.0.1', port: 80 })
    if (typeof provider !== 'string') running = provider
  })

  test('is its own issuer', async () => {
    const provider = await start()
    const response = await fetch(`${provider.issuer}/.well-known/oauth-authorization-server`)
    expect(await response.json()).toMatchObject({
      issuer: `http://127.0.0.1:${provider.port}`,
      token_endpoint: `http://127.0.0.1:${provider.port}/token`,
    })
  })

  test('is an issuer with a path', async () => {
    const { issuer, port } = await start({ path: '/tenant-1' })
    expect(issuer).toBe(`http://127.0.0.1:${port}/tenant-1`)
    const at = `http://127.0.0.1:${port}/.well-known/oauth-authorization-server/tenant-1`
    expect(await (await fetch(at)).json()).toMatchObject({ issuer })
  })

  test('logs the target as it was on the wire', async () => {
    const provider = await start()
    const arrived = next(provider, 'request')
    const socket = connect(provider.port, '127.0.0.1')
    socket.end('GET /a/../b%2f?x=%41 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await arrived).toMatchObject({ target: '/a/../b%2f?x=%41' })
    socket.resume()
    await once(socket, 'close')
  })

  test('closes the connection where a fault says so', async () => {
    const provider = await start()
    const { code } = await approve(provider, { faults: ['token-connection-closed'] })
    await expect(post(provider, code)).rejects.toThrow('fetch failed')
  })

  test('notices that the client gave up', async () => {
    const provider = await start()
    const { code } = await approve(provider, { faults: ['token-hang'] })
    const controller = new AbortController()
    const arrived = next(provider, 'request')
    const ended = next(provider, 'connection')
    const pending = post(provider, code, controller.signal)
    await arrived
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2000)
    controller.abort()
    await expect(pending).rejects.toThrow()
    expect(await ended).toMatchObject({ closedBy: 'peer', faults: ['token-hang'] })
  })

  test('answers who has closed their side', async () => {
    const provider = await start()
    const { code } = await approve(provider, { faults: ['token-hang'] })
    const arrived = next(provider, 'request')
    const body = new URLSearchParams({ code, grant_type: 'authorization_code' }).toString()
    const socket = connect({ port: provider.port, host: '127.0.0.1', allowHalfOpen: true })
    const head = ['POST /token HTTP/1.1', 'Host: x', `Content-Length: ${body.length}`]
    head.push('Content-Type: application/x-www-form-urlencoded')
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    await arrived
    await setImmediate()
    await setImmediate()
    provider.release()
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('stops at once, also with a request held back', async () => {
    const provider = await start()
    const { code } = await approve(provider, { faults: ['token-hang'] })
    const arrived = next(provider, 'request')
    const pending = post(provider, code)
    await arrived
    const rejected = expect(pending).rejects.toThrow()
    await provider.close()
    await rejected
  })

  test('says so when the port is taken', async () => {
    const { port } = await start()
    await expect(serveMockProvider({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('another certificate', () => {
  const secure = async () => {
    const trusted = await createAuthority()
    running = await serveMockProvider({ tls: await trusted.issue([]) })
    return { trusted, provider: running, stranger: await createAuthority() }
  }

  /** Asks over a new connection, and gives the session of it. */
  const ask = (
    { port }: RunningProvider,
    options: ConnectionOptions,
  ): Promise<Buffer | undefined> => {
    const socket = tlsConnect({ port, host: '127.0.0.1', ...options })
    let session: Buffer | undefined
    socket.on('session', (given: Buffer) => (session = given))
    socket.write('GET /jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    socket.resume()
    return once(socket, 'close').then(() => session)
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('cannot be passed by a session of %s', async (max) => {
    const { trusted, provider, stranger } = await secure()
    const options = { ca: trusted.caPem, maxVersion: max }
    const session = await ask(provider, options)
    expect(session).toBeInstanceOf(Buffer)
    provider.present(await stranger.issue([]))
    await expect(ask(provider, { ...options, session })).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    })
    await expect(ask(provider, { ...options, ca: stranger.caPem, session })).resolves.toBeDefined()
  })

  test('ends connections, and tells of those that come to nothing', async () => {
    const { trusted, provider, stranger } = await secure()
    const idle = tlsConnect({ port: provider.port, host: '127.0.0.1', ca: trusted.caPem })
    await once(idle, 'secureConnect')
    idle.resume()
    const ended = once(idle, 'close')
    let unused = 0
    const certificate = await stranger.issue([])
    const told = new Promise<void>((resolve) => {
      provider.present(certificate, () => {
        unused += 1
        resolve()
      })
    })
    await ended
    await ask(provider, { ca: stranger.caPem })
    expect(unused).toBe(0)
    await expect(ask(provider, { ca: trusted.caPem })).rejects.toThrow()
    await told
    expect(unused).toBe(1)
  })

  test('finds no idle connection where none was kept', async () => {
    const { trusted, provider } = await secure()
    const idle = tlsConnect({ port: provider.port, host: '127.0.0.1', ca: trusted.caPem })
    await once(idle, 'secureConnect')
    provider.keepNoConnections()
    const ended = once(idle, 'close')
    idle.resume().write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await ended
  })

  test('is for nobody without TLS', async () => {
    const { trusted } = await secure()
    await running?.close()
    const plain = await start()
    const certificate = await trusted.issue([])
    expect(() => plain.present(certificate)).toThrow(TypeError)
  })
})
