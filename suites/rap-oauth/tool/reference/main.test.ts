import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

// Node 20 does not run TypeScript by itself.
const jiti = fileURLToPath(
  new URL('../../../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url),
)
const main = fileURLToPath(new URL('main.ts', import.meta.url))

function run(env: Record<string, string>) {
  return spawn(process.execPath, [jiti, main], { env: { PATH: process.env['PATH'] ?? '', ...env } })
}

test('says when it is ready, serves, and stops when told', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rap-tool-'))
  const tool = run({
    OAUTH_ISSUER: 'https://auth.example',
    OAUTH_CLIENT_ID: 'client',
    RESOURCE_URL: 'https://api.example',
    DATA_DIR: dataDir,
  })
  try {
    const line = String(await once(createInterface(tool.stdout), 'line'))
    const url = /^rap-tool listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1]
    const response = await fetch(`${url}/.well-known/rap-toolset`)
    expect(await response.json()).toMatchObject({ endpoint: `${url}/invoke` })
    expect(statSync(join(dataDir, 'token-key')).mode & 0o777).toBe(0o600)
    tool.kill('SIGTERM')
    expect(await once(tool, 'exit')).toEqual([0, null])
  } finally {
    tool.kill('SIGKILL')
    rmSync(dataDir, { recursive: true })
  }
})

test('names what is missing and exits with 2', async () => {
  const tool = run({ OAUTH_ISSUER: 'https://auth.example', RESOURCE_URL: 'https://api.example' })
  const [errors, [code]] = await Promise.all([text(tool.stderr), once(tool, 'exit')])
  expect(code).toBe(2)
  expect(errors).toBe('rap-tool: OAUTH_CLIENT_ID is required\nrap-tool: DATA_DIR is required\n')
})
