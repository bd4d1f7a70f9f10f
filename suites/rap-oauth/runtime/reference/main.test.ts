import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { getRequestListener } from '@hono/node-server'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createFakeModel } from './fixtures/fake-model.ts'
import { createFakeTool } from './fixtures/fake-tool.ts'
import { createMailbox } from './fixtures/mailbox.ts'

// Node 20 does not run TypeScript by itself.
const jiti = fileURLToPath(
  new URL('../../../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url),
)
const main = fileURLToPath(new URL('main.ts', import.meta.url))

const endings: (() => unknown)[] = []
let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rap-runtime-'))
  endings.push(() => rmSync(dataDir, { recursive: true }))
})
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [jiti, main], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  endings.push(() => child.kill('SIGKILL'))
  const lines = createMailbox<string>()
  createInterface({ input: child.stdout }).on('line', lines.put)
  return { child, lines }
}

async function listen(app: { fetch: (request: Request) => Response | Promise<Response> }) {
  const listener = getRequestListener((incoming) => app.fetch(incoming))
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function world() {
  const model = createFakeModel()
  const tool = createFakeTool('', ['list_items'])
  const base = await listen(tool.app)
  tool.toolset['endpoint'] = `${base}/invoke`
  const env = {
    TOOLSETS: base,
    MODEL_BASE_URL: `${await listen(model.app)}/v1`,
    MODEL_NAME: 'scripted',
    DATA_DIR: dataDir,
  }
  return { model, tool, env }
}

const ready = /^rap-runtime listening on (http:\/\/127\.0\.0\.1:(\d+))$/

test('on the console: asks, shows the link, is killed, and completes after its restart', async () => {
  const { model, tool, env } = await world()
  const first = run({ ...env, CONSOLE: '1' })
  const [, url = '', port = ''] = ready.exec(await first.lines.next('line', () => true)) ?? []
  expect(statSync(join(dataDir, 'rap-runtime.db')).mode & 0o777).toBe(0o600)

  model.script.push({ calls: [{ id: 'tc' }] })
  first.child.stdin.write('list my items\n')
  const call = await tool.invocations.next('invocation', () => true)
  expect(call.callback_url.startsWith(`${url}/callbacks/`)).toBe(true)
  const callBack = (message: object) => {
    const { id, group_id, call_id } = call
    return fetch(call.callback_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, group_id, call_id, ...message }),
    })
  }
  const link = 'https://auth.example/?a=1&b=%20\u00fc#f'
  expect((await callBack({ type: 'oauth', auth_url: link })).status).toBe(200)
  await first.lines.next('link', (line) => line === link)

  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  // As a process leaves it that is killed while it writes.
  mkdirSync(join(dataDir, 'rap-runtime.db.lock'), { recursive: true })
  const second = run({ ...env, PORT: port, CONSOLE: '1' })
  await second.lines.next('line', (line) => ready.test(line))
  expect((await callBack({ type: 'tool_result', text: 'late' })).status).toBe(200)
  await second.lines.next('answer', (line) => line === 'ok')
  expect(model.requests.all.at(-1)?.messages.at(-1)?.content).toBe('late')
  second.child.kill('SIGTERM')
  expect(await once(second.child, 'exit')).toEqual([0, null])
})

test('over HTTP: a stream, and bodies that are too large', async () => {
  const { env } = await world()
  const { lines, child } = run(env)
  const [, url = ''] = ready.exec(await lines.next('line', () => true)) ?? []
  const stream = await fetch(`${url}/conversations/c1/stream`)
  expect(stream.status).toBe(200)
  await fetch(`${url}/conversations/c1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text":"hello"}',
  })
  const shown = stream.body?.pipeThrough(new TextDecoderStream()) ?? []
  for await (const chunk of shown) if (chunk.includes('"text":"ok"')) break

  const body = Buffer.alloc(5 * 2 ** 20, ' ')
  for (const headers of [{ 'content-length': String(body.length) }, {}]) {
    expect(await postTo(`${url}/callbacks/x`, headers, body)).toBe(413)
  }
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('names what is missing and exits with 2', async () => {
  const { child } = run({ TOOLSETS: 'https://tool.example' })
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(code).toBe(2)
  expect(errors).toBe('rap-runtime: MODEL_NAME is required\nrap-runtime: DATA_DIR is required\n')
})

/** The whole body is sent, as a client does that reads the answer only afterwards. */
function postTo(url: string, headers: Record<string, string>, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json' }
    const sent = request(url, { method: 'POST', headers: { ...headers, ...type } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    // The server may close while the rest is still on its way: after the answer that is nobody's error.
    sent.on('socket', (socket) => socket.on('error', () => undefined))
    Readable.from([body.subarray(0, 2 ** 20), body.subarray(2 ** 20)]).pipe(sent)
  })
}
