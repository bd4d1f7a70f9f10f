import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { targetSchema, type TargetConfiguration } from '../target-settings.ts'
import { networkTransport } from '../http.ts'
import { invocationHeaders, startImplementation, type Implementation } from './implementation.ts'
import { Unreachable } from '../../engine/scenario.ts'
import { createRun, type Run } from '../../engine/run.ts'

const timing = { ackMs: 1000, stepMs: 5000, observeMs: 1, maxWaitMs: 1, graceMs: 1 }
const within = 20_000
const transport = networkTransport()

let root: string
let run: Run
let interrupt: AbortController
const started: Implementation[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'implementation-'))
  interrupt = new AbortController()
  run = createRun({ timing, signal: interrupt.signal })
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((implementation) => implementation.stop()))
  rmSync(root, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

async function start(
  target: Record<string, unknown>,
  name = 'shared',
  own: Partial<Parameters<typeof startImplementation>[0]> = {},
): Promise<Implementation> {
  const implementation = await startImplementation({
    run,
    target: targetSchema.parse({ stopTimeout: 5000, ...target }),
    base: root,
    name,
    placeholders: { 'provider.issuer': 'https://provider.test' },
    urlAs: 'tool.url',
    transport,
    dataRoot: join(root, 'data'),
    caFile: '/tmp/ca.pem',
    ...own,
  })
  started.push(implementation)
  return implementation
}

/** A server of a few lines; `handle` is JavaScript over `request`, `response` and `count`. */
const server = (handle: string, before = '') => ({
  command: [
    process.execPath,
    '-e',
    `${before}
    let count = 0
    require('node:http').createServer((request, response) => { count += 1; ${handle} })
      .listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'))`,
  ],
  env: { PORT: '{port}' },
})

/** What `GET /path` answers. */
async function ask({ url }: Implementation, path = '/'): Promise<string> {
  const answer = await transport({ method: 'GET', url: url + path, headers: {}, within })
  return answer.body.text
}

const aborted = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason
}

describe('an implementation that the harness starts', () => {
  test('gets its port, its data folder and the trust it needs', async () => {
    const shown = 'response.end(JSON.stringify(process.env))'
    const { env, command } = server(shown)
    const implementation = await start({
      command,
      env: { ...env, ISSUER: '{provider.issuer}', DATA: '{data.dir}', SELF: '{tool.url}' },
    })
    const seen = JSON.parse(await ask(implementation)) as Record<string, string>
    expect(implementation).toMatchObject({
      owned: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })
    expect(seen).toMatchObject({
      PORT: new URL(implementation.url).port,
      ISSUER: 'https://provider.test',
      DATA: join(root, 'data', 'shared'),
      SELF: implementation.url,
      NODE_EXTRA_CA_CERTS: '/tmp/ca.pem',
      SSL_CERT_FILE: '/tmp/ca.pem',
      REQUESTS_CA_BUNDLE: '/tmp/ca.pem',
      CURL_CA_BUNDLE: '/tmp/ca.pem',
      NO_PROXY: expect.stringMatching(/^127\.0\.0\.1,localhost/),
      PATH: process.env['PATH'],
    })
    expect(statSync(join(root, 'data', 'shared')).mode & 0o777).toBe(0o700)
  })

  test('is not started where something else answers already', async () => {
    const other = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const starting = start({ ...server('response.end()'), url })
    await expect(starting).rejects.toThrow(
      `something else answers at ${url} already, before the command "${process.execPath}" was started`,
    )
    other.close()
  })

  test('is started behind a gateway that says that nothing is there yet', async () => {
    const marker = join(root, 'started')
    const gateway = createServer((_, response) => {
      response.writeHead(existsSync(marker) ? 200 : 502).end()
    }).listen(0, '127.0.0.1')
    await once(gateway, 'listening')
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
    const write = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`
    const command = [process.execPath, '-e', `${write}; setInterval(() => {}, 1000)`]
    expect(await start({ command, url })).toMatchObject({ url, owned: true })
    gateway.close()
  })

  test('has what it prints in the log of the run', async () => {
    await start(server('response.end()', 'console.error("warming up")'), 'own-a')
    const printed = (text: string) =>
      run.log.waitFor((t) => t.outputs().find((line) => line.text === text), within)
    expect(await printed('warming up')).toMatchObject({ source: 'own-a stderr', bytes: 10 })
    expect(await printed('listening')).toMatchObject({ source: 'own-a stdout' })
  })

  test('runs in the folder of the configuration, or in that which it names', async () => {
    const here = 'response.end(process.cwd())'
    expect(await ask(await start(server(here)))).toBe(root)
    expect(await ask(await start({ ...server(here), cwd: '/' }))).toBe('/')
  })

  test('is waited for while it says that it is starting', async () => {
    const busy =
      'response.statusCode = count < 3 ? [502, 503][count % 2] : 404; response.end(String(count))'
    expect(Number(await ask(await start(server(busy))))).toBeGreaterThan(3)
  })

  test('is there as soon as it answers anything, or nothing in HTTP', async () => {
    expect((await start(server('response.statusCode = 500; response.end()'))).owned).toBe(true)
    expect((await start(server('request.socket.destroy()'))).owned).toBe(true)
  })
})

describe('what cannot be reached', () => {
  test('because it ended before it answered', async () => {
    const starting = start({ command: [process.execPath, '-e', 'process.exit(3)'] })
    await expect(starting).rejects.toThrow(Unreachable)
    await expect(starting).rejects.toThrow(/^the command ".*node" exited with code 3 before it/)
  })

  test('because nothing listens in time', async () => {
    const starting = start({
      command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      readyTimeout: 50,
    })
    await expect(starting).rejects.toThrow(Unreachable)
    await expect(starting).rejects.toThrow(/within 50 ms: nothing listens there$/)
  })

  test('because it does not stop starting', async () => {
    const url = `http://127.0.0.1:${await listening(503)}`
    await expect(start({ url, readyTimeout: 200 })).rejects.toThrow(
      /^the implementation did not answer .* within 200 ms: it answers 503$/,
    )
  })

  test('because the program does not exist', async () => {
    await expect(start({ command: ['/no/such/program'] })).rejects.toThrow(Unreachable)
    await expect(start({ command: ['/no/such/program'] })).rejects.toThrow(
      `cannot start "/no/such/program": there is no such program, or no such working directory (working directory ${root})`,
    )
  })

  test('because the run was interrupted', async () => {
    const starting = start({ command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] })
    interrupt.abort()
    await expect(starting).rejects.toThrow(Unreachable)
  })

  test('leaves no process behind', async () => {
    const script = 'console.log(process.pid); setInterval(() => {}, 1000)'
    const starting = start({ command: [process.execPath, '-e', script] })
    const line = await run.log.waitFor(
      (t) => t.outputs().find(({ source }) => source.endsWith('stdout')),
      within,
    )
    interrupt.abort()
    await expect(starting).rejects.toThrow(Unreachable)
    expect(line?.text).toMatch(/^\d+$/)
    expect(() => process.kill(Number(line?.text), 0)).toThrow('ESRCH')
  })

  test('is not a placeholder that nobody knows: that is a mistake in the configuration', async () => {
    const { command } = server('response.end()')
    await expect(start({ command, env: { X: '{provider.isuer}' } })).rejects.toThrow(
      'unknown placeholder {provider.isuer}',
    )
  })
})

/** A server in this process that answers every request with this status. */
async function listening(status: number): Promise<number> {
  const http = createServer((_, response) => void response.writeHead(status).end())
  http.listen(0, '127.0.0.1').unref()
  await once(http, 'listening')
  started.push({ stop: async () => http.close().closeAllConnections() } as Implementation)
  return (http.address() as AddressInfo).port
}

describe('an implementation that runs already', () => {
  test('is not ours to start again', async () => {
    const implementation = await start({ url: `http://127.0.0.1:${await listening(404)}/base/` })
    expect(implementation).toMatchObject({
      owned: false,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/base$/),
    })
    expect(await implementation.check(0)).toBeUndefined()
    expect(implementation.gone.aborted).toBe(false)
  })

  test('is gone when it is declared lost', async () => {
    const implementation = await start({ url: `http://127.0.0.1:${await listening(404)}` })
    const { gone } = implementation
    implementation.lost('it refused connections')
    expect(await aborted(gone)).toBe('it refused connections')
    expect(await implementation.check(0)).toBe('it refused connections')
  })

  test('is missed when nothing listens any more', async () => {
    const port = await listening(404)
    const implementation = await start({ url: `http://127.0.0.1:${port}` })
    await started.shift()?.stop()
    expect(await implementation.check(0)).toBe(
      `nothing listens at http://127.0.0.1:${port} any more`,
    )
  })
})

const pid = 'response.end(String(process.pid))'

describe('the end of it', () => {
  test('is noticed when it comes by itself', async () => {
    const implementation = await start(server(pid))
    const { gone } = implementation
    process.kill(Number(await ask(implementation)), 'SIGKILL')
    expect(await aborted(gone)).toBe('it ended by SIGKILL')
    expect(await implementation.check(60_000)).toBe('it ended by SIGKILL')
  })

  test('is no accident when it is stopped', async () => {
    const implementation = await start(server(pid))
    await implementation.stop()
    expect(implementation.gone.aborted).toBe(false)
    expect(await implementation.check(0)).toBeUndefined()
    await expect(ask(implementation)).rejects.toThrow('ECONNREFUSED')
  })
})

describe('a restart', () => {
  test('is another process at the same place with the same data', async () => {
    const keep = `const fs = require('node:fs'), file = process.env.DATA + '/starts'
      const starts = fs.existsSync(file) ? Number(fs.readFileSync(file)) + 1 : 1
      fs.writeFileSync(file, String(starts))`
    const { command, env } = server('response.end(process.pid + " " + starts)', keep)
    const implementation = await start({ command, env: { ...env, DATA: '{data.dir}' } })
    const { url } = implementation
    const [first, starts] = (await ask(implementation)).split(' ')
    await implementation.restart()
    const [second, again] = (await ask(implementation)).split(' ')
    expect(implementation.url).toBe(url)
    expect(second).not.toBe(first)
    expect([starts, again]).toEqual(['1', '2'])
    expect(implementation.gone.aborted).toBe(false)
    expect(await implementation.check(0)).toBeUndefined()
  })

  test('is watched like the first start', async () => {
    const implementation = await start(server(pid))
    await implementation.restart()
    const { gone } = implementation
    process.kill(Number(await ask(implementation)), 'SIGKILL')
    expect(await aborted(gone)).toBe('it ended by SIGKILL')
  })

  test('is no end for those who were waiting before it', async () => {
    const implementation = await start(server(pid))
    const { gone } = implementation
    await implementation.restart()
    expect(gone.aborted).toBe(false)
  })
})

describe('headers for invocations', () => {
  test('are filled in, in lower case, and count as secrets', () => {
    vi.stubEnv('IMPLEMENTATION_TEST_KEY', 'k_0123456789abcdefghij')
    const target: TargetConfiguration = targetSchema.parse({
      url: 'http://x',
      headers: { Authorization: 'Bearer {env.IMPLEMENTATION_TEST_KEY}', 'X-Env': 'test' },
    })
    expect(invocationHeaders(target, {}, run)).toEqual({
      authorization: 'Bearer k_0123456789abcdefghij',
      'x-env': 'test',
    })
    expect(run.ledger.redact('say k_0123456789abcdefghij').text).not.toContain('k_0123')
    expect(run.ledger.redact('a test').hits).toEqual([])
  })
})

test('what only speaks over its output is not waited for at a port, and restarts', async () => {
  const command = [process.execPath, '-e', 'process.stdin.resume()']
  const implementation = await start({ command, readyTimeout: 500 }, 'spoken', {
    listens: false,
    input: true,
  })
  expect(await implementation.check(100)).toBeUndefined()
  await implementation.restart()
  expect(implementation.gone.aborted).toBe(false)
})

test('that it has ended is noticed all the same', async () => {
  const command = [process.execPath, '-e', 'setTimeout(() => process.exit(3), 50)']
  const implementation = await start({ command }, 'brief', { listens: false })
  await aborted(implementation.gone)
  expect(await implementation.check(100)).toContain('3')
})
