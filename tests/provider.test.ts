/** `aoc provider` as a user starts it: ready, used, stopped. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { trustHints } from '../cli/input/trust.ts'
import { runCli, scratch } from './run-cli.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
let folder = ''

beforeAll(() => void (folder = scratch()))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ready = z.object({
  ready: z.literal(true),
  issuer: z.url(),
  port: z.int(),
  control: z.url().optional(),
  controlToken: z.string().optional(),
  ca: z.string().optional(),
})

/** Starts a provider and waits for the line that a script waits for. */
async function start(...args: readonly string[]) {
  const all = [main, 'provider', '--port', '0', '--json', ...args]
  const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  for await (const chunk of child.stdout) {
    stdout += String(chunk)
    if (stdout.includes('\n')) break
  }
  if (!stdout.includes('\n')) throw new Error(stderr)
  return {
    ...ready.parse(JSON.parse(stdout)),
    stop: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

/** A DPoP proof without a nonce (RFC 9449 §4.2). */
async function proofFor(htu: string): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  return new SignJWT({ htm: 'POST', htu, jti: crypto.randomUUID() })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(publicKey) })
    .setIssuedAt()
    .sign(privateKey)
}

const register = async (issuer: string) => {
  const response = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://app.example/callback'] }),
  })
  return z.record(z.string(), z.unknown()).parse(await response.json())
}

describe('a provider on the command line', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('ends at once on %s', async (signal) => {
    const { issuer, stop } = await start()
    expect((await fetch(`${issuer}/jwks`)).status).toBe(200)
    expect(await stop(signal)).toBe(0)
    await expect(fetch(`${issuer}/jwks`)).rejects.toThrow()
  })

  test('tells a person where it is, and says last that it is ready', async () => {
    const args = ['provider', '--port', '0', '--tenants', '--control', '--fault', 'token-hang']
    const { code, stdout } = await runCli(args, folder, {
      onOutput: (text, child) => void (text.includes('ready: ') && child.kill('SIGTERM')),
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Control +http:\/\/127\.0\.0\.1:\d+\/_control\/$/m)
    expect(stdout).toMatch(/^Fault +token-hang$/m)
    expect(stdout).toMatch(/\nready: http:\/\/127\.0\.0\.1:\d+ \(Ctrl-C stops it\)\n$/)
  })

  test('tells a person where the metadata of an issuer with a path is, and where it listens', async () => {
    const issuer = 'http://127.0.0.1:9400/team'
    const { stdout } = await runCli(['provider', '--port', '0', '--issuer', issuer], folder, {
      onOutput: (text, child) => void (text.includes('ready: ') && child.kill('SIGTERM')),
    })
    const port = /^Listening +127\.0\.0\.1, port (\d+)$/m.exec(stdout)?.[1]
    expect(Number(port)).toBeGreaterThan(0)
    expect(stdout).toContain(
      'Discovery  http://127.0.0.1:9400/.well-known/oauth-authorization-server/team\n',
    )
  })

  test('issues JWTs and demands DPoP nonces when it is told', async () => {
    writeFileSync(
      join(folder, 'machine.json'),
      JSON.stringify([{ clientId: 'm', clientSecret: 's', grantTypes: ['client_credentials'] }]),
    )
    const args = ['--clients', 'machine.json', '--access-token-format', 'jwt', '--dpop-nonce']
    const { issuer, stop } = await start(...args)
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('m:s')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token } = z.object({ access_token: z.string() }).parse(await response.json())
    expect(access_token.split('.')).toHaveLength(3)
    const proven = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('m:s')}`, dpop: await proofFor(`${issuer}/token`) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    expect(await proven.json()).toMatchObject({ error: 'use_dpop_nonce' })
    expect(await stop()).toBe(0)
  })

  test('knows the clients, users and faults that it was given', async () => {
    const clients = [
      { clientId: 'web', clientSecret: 's', redirectUris: ['https://app.example/cb'] },
    ]
    writeFileSync(join(folder, 'clients.json'), JSON.stringify(clients))
    writeFileSync(join(folder, 'users.json'), JSON.stringify([{ subject: 'carol' }]))
    const fault = 'token-error-503@client:web'
    const { issuer, stop } = await start(
      '--clients',
      'clients.json',
      '--users',
      'users.json',
      '--fault',
      fault,
    )
    const post = (client: string) =>
      fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams({ client_id: client }) })
    expect((await post('web')).status).toBe(503)
    expect((await post('other')).status).toBe(401)
    expect(await stop()).toBe(0)
  })

  test('deviates like the provider it was told', async () => {
    const { issuer, stop } = await start('--preset', 'github')
    const body = new URLSearchParams({ client_id: 'nobody', grant_type: 'authorization_code' })
    const response = await fetch(`${issuer}/token`, { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('incorrect_client_credentials')
    expect(await stop()).toBe(0)
  })

  test('is trusted over HTTPS by who trusts the authority it names', async () => {
    const { issuer, ca, stop } = await start('--https')
    expect(issuer).toMatch(/^https:/)
    const agent = new Agent({ connect: { ca: readFileSync(ca ?? '', 'utf8') } })
    expect((await undiciFetch(`${issuer}/jwks`, { dispatcher: agent })).status).toBe(200)
    await expect(fetch(`${issuer}/jwks`)).rejects.toThrow()
    await agent.destroy()
    expect(await stop()).toBe(0)
    expect(existsSync(ca ?? '')).toBe(false)
  })

  test('keeps what it knows in an SQLite file, from one start to the next', async () => {
    const storage = ['--storage', 'sqlite:kept.db', '--issuer', 'http://localhost:9400']
    const first = await start(...storage)
    const origin = `http://127.0.0.1:${first.port}`
    const { client_id, registration_access_token } = await register(origin)
    const keys = await (await fetch(`${origin}/jwks`)).text()
    expect(await first.stop()).toBe(0)
    const second = await start(...storage)
    const again = `http://127.0.0.1:${second.port}`
    const read = await fetch(`${again}/register/${String(client_id)}`, {
      headers: { authorization: `Bearer ${String(registration_access_token)}` },
    })
    expect(read.status).toBe(200)
    expect(await (await fetch(`${again}/jwks`)).text()).toBe(keys)
    expect(await second.stop()).toBe(0)
  })

  test('issues the same values for the same seed', async () => {
    const run = async (seed: string) => {
      const { port, stop } = await start('--seed', seed, '--issuer', 'http://localhost:9400')
      const origin = `http://127.0.0.1:${port}`
      const { client_id } = await register(origin)
      const keys = await (await fetch(`${origin}/jwks`)).text()
      await stop()
      return { client_id, keys }
    }
    const [one, two, other] = [await run('a'), await run('a'), await run('b')]
    expect(one).toEqual(two)
    expect(one.client_id).not.toBe(other.client_id)
  })

  test('makes up a control token where others can reach it', async () => {
    const { port, controlToken, stop } = await start('--host', '0.0.0.0', '--control')
    const url = `http://127.0.0.1:${port}/_control/issuer`
    expect((await fetch(url)).status).toBe(401)
    const headers = { authorization: `Bearer ${controlToken}` }
    expect((await fetch(url, { headers })).status).toBe(200)
    await stop()
  })

  test('takes a storage that cannot be opened, a bad file or fault as an error of usage', async () => {
    writeFileSync(join(folder, 'bad.json'), '[{"clientId": 1, "admin": true}]')
    writeFileSync(join(folder, 'twice.json'), '[{"clientId": "a"}, {"clientId": "a"}]')
    for (const [args, message] of [
      [['--clients', 'bad.json'], 'bad.json is not a list of clients'],
      [['--clients', 'bad.json'], '[0].clientId: expected string, received number'],
      [['--clients', 'bad.json'], 'unknown: admin'],
      [['--clients', 'twice.json'], 'there are two clients a'],
      [['--clients', 'none.json'], 'cannot read none.json'],
      [['--fault', 'token-hangs'], 'did you mean token-hang'],
      [['--fault', 'token-hang@nobody'], 'scope: unknown scope, expected issuer, next'],
      [['--host', 'nowhere.invalid'], 'cannot listen on nowhere.invalid'],
      [['--access-token-format', 'JWT'], '(aoc provider --help shows its options)'],
      [['--preset', 'gitlab'], 'expected one of: atlassian'],
      [['--port', '70000'], 'A port is a number'],
      [['--storage', 'redis://127.0.0.1:1'], '--storage: cannot open'],
      [['--storage', 'redis:'], '--storage'],
      [['--cert', 'x.pem'], '--cert and --key go together'],
      [['--issuer', 'nonsense'], 'the issuer must be a URL'],
      [['--issuer', 'nonsense'], 'but is nonsense'],
    ] as const) {
      const { code, stderr } = await runCli(['provider', ...args], folder)
      expect(stderr).toContain(message)
      expect(code).toBe(2)
    }
  })

  test('says that a port is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { code, stderr } = await runCli(['provider', '--port', port], folder)
    expect(stderr).toContain('the port is in use')
    expect(code).toBe(2)
    server.close()
  })
})

test('every stack is told how to trust the authority, whatever its path', () => {
  const hints = trustHints("/tmp/it's here/ca.pem")
  expect(hints.map(({ software }) => software)).toEqual([
    'Node',
    'Python',
    'Go',
    'Rust',
    'Java',
    'curl',
    'Browsers',
  ])
  for (const { how } of hints) expect(how).toContain(String.raw`'/tmp/it'\''s here/ca.pem'`)
})

describe('tokens without a flow', () => {
  test('are issued by a provider with a control API', async () => {
    const rules = join(folder, 'rules.json')
    writeFileSync(rules, JSON.stringify([{ claims: { tenant: 'acme' } }]))
    const { issuer, stop } = await start('--control', '--token-claims', rules)
    const args = ['--url', issuer, '--subject', 'carol', '--audience', 'https://api.example']
    const more = ['--scope', 'a b', '--claims', '{"x":1}', '--lifetime', '60', '--format', 'jwt']
    const { stdout, code } = await runCli(['provider', 'token', ...args, ...more], folder)
    expect(code).toBe(0)
    expect(decodeJwt(stdout.trim())).toMatchObject({
      iss: issuer,
      sub: 'carol',
      aud: ['https://api.example'],
      scope: 'a b',
      tenant: 'acme',
      x: 1,
    })
    await stop()
    const refused = await runCli(['provider', 'token', '--url', issuer], folder)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('is not reachable')
  })
})
