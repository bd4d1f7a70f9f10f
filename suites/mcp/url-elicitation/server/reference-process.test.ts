import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { serveMockProvider, type RunningProvider } from '../../../../mock-provider/index.ts'
import { createBrowser } from './reference/fixtures/browser.ts'

// Node 20 does not run TypeScript by itself.
const jiti = fileURLToPath(
  new URL('../../../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url),
)
const main = fileURLToPath(new URL('reference/main.ts', import.meta.url))
const path = { PATH: process.env['PATH'] ?? '' }

function run(env: Record<string, string>) {
  return spawn(process.execPath, [jiti, main], { env: { ...path, ...env } })
}

test('names what is missing and exits with 2', async () => {
  const server = run({ OAUTH_ISSUER: 'https://auth.example', RESOURCE_URL: 'https://api.example' })
  const [errors, [code]] = await Promise.all([text(server.stderr), once(server, 'exit')])
  expect(code).toBe(2)
  expect(errors).toBe(
    'items-server: OAUTH_CLIENT_ID is required\nitems-server: DATA_DIR is required\n',
  )
})

describe('beside a provider', () => {
  let provider: RunningProvider
  let dataDir: string
  let server: ChildProcess | undefined

  beforeEach(async () => {
    provider = await serveMockProvider({
      clients: [{ clientId: 'items', redirectUris: { learn: () => true } }],
    })
    dataDir = mkdtempSync(join(tmpdir(), 'items-server-'))
  })
  afterEach(async () => {
    server?.kill('SIGKILL')
    await provider.close()
    rmSync(dataDir, { recursive: true })
  })

  const env = () => ({
    OAUTH_ISSUER: provider.issuer,
    OAUTH_CLIENT_ID: 'items',
    RESOURCE_URL: `${provider.issuer}/resource`,
    DATA_DIR: dataDir,
  })

  test('says when it is ready, serves, and stops when told', async () => {
    const started = run(env())
    server = started
    const line = String(await once(createInterface(started.stdout), 'line'))
    const url = /^items-server listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1]
    const response = await fetch(`${url}/mcp`, { method: 'POST' })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
    ])
    expect(statSync(join(dataDir, 'token-key')).mode & 0o777).toBe(0o600)
    started.kill('SIGTERM')
    expect(await once(started, 'exit')).toEqual([0, null])
  })

  test.each(['legacy', { pin: '2026-07-28' }] as const)(
    'serves over stdio, its pages over HTTP: %j',
    async (mode) => {
      const send = async (request: Request) => fetch(request, { redirect: 'manual' })
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode } },
      )
      const asked: string[] = []
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        const url = 'url' in params ? params.url : ''
        asked.push(url)
        const sites = { [provider.issuer]: send, [new URL(url).origin]: send }
        await createBrowser(sites, () => ({ action: 'approve', subject: 'bob' })).visit(url)
        return { action: 'accept' }
      })
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [jiti, main],
          env: { ...path, ...env(), TRANSPORT: 'stdio' },
          stderr: 'ignore',
        }),
      )
      const call = async () => JSON.stringify(await client.callTool({ name: 'list_items' }))
      expect(await call()).toContain('Welcome, bob')
      expect(await call()).toContain('Welcome, bob')
      expect(asked).toHaveLength(1)
      await client.close()
    },
  )
})
