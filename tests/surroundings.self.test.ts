/** Runs beside each other, interrupted runs, and tools that run already. */

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../harness/parties/index.ts'
import type { RunRecord } from '../reports/index.ts'
import { implementation, requirementsWith, runCli, scratch } from './run-cli.ts'

function recordIn(folder: string): RunRecord {
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as RunRecord
}

// On a starved machine a run may lack proof; what they do to each other they do again.
test('two runs at the same time do not disturb each other', { retry: 2 }, async () => {
  const folder = scratch()
  const runs = await Promise.all([
    runCli(['run', '--quiet', '--pending-timeout', '15s'], folder),
    runCli(['run', '--quiet', '--pending-timeout', '15s'], folder),
  ])
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  const results = readdirSync(join(folder, 'aoc-results'))
  expect(results).toHaveLength(2)
  for (const run of results) {
    const record = recordIn(join(folder, 'aoc-results', run))
    expect(requirementsWith(record, 'inconclusive')).toEqual([])
  }
})

test('Ctrl-C ends everything and keeps what was recorded', async () => {
  const folder = scratch()
  let interrupted = false
  const { code } = await runCli(['run', '--output', 'out'], folder, {
    onOutput(text, child) {
      if (interrupted || !text.includes('scenarios judged')) return
      interrupted = true
      child.kill('SIGINT')
    },
  })
  expect(code).toBe(130)
  const record = recordIn(join(folder, 'out'))
  expect(record.verdict).not.toBe('conformant')
  expect(readdirSync(join(folder, 'out/transcripts')).length).toBeGreaterThan(5)
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    'junit.xml',
    'report.html',
    'results.json',
    'summary.md',
    'transcripts',
  ])
})

test('a tool that runs already is certified by its URL', async () => {
  const folder = scratch()
  const [toolPort, providerPort] = [await freePort(), await freePort()]
  const issuer = `https://127.0.0.1:${providerPort}`
  const secret = 'a-secret-that-the-vendor-configured'
  const authority = join(folder, 'ca')
  const started: ReturnType<typeof spawn>[] = []
  const start = (): void => {
    const tool = spawn(process.execPath, [implementation('plain-node/server.mjs')], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        PORT: String(toolPort),
        DATA_DIR: join(folder, 'data'),
        NODE_EXTRA_CA_CERTS: join(authority, 'ca.pem'),
        ISSUER: issuer,
        AUTHORIZATION_ENDPOINT: `${issuer}/authorize`,
        TOKEN_ENDPOINT: `${issuer}/token`,
        RESOURCE_URL: `${issuer}/resource`,
        CLIENT_ID: 'my-client',
        CLIENT_SECRET: secret,
        SCOPES: 'items:read items:write',
        PENDING_TIMEOUT_MS: '12000',
        UPSTREAM_TIMEOUT_MS: '6000',
      },
    })
    started.push(tool)
  }
  const args = [
    'run',
    '--profile',
    'rap-oauth/tool',
    '--url',
    `http://127.0.0.1:${toolPort}`,
    '--endpoint',
    '/rap',
  ]
  const provider = [
    '--provider-port',
    String(providerPort),
    '--authority',
    'ca',
    '--client-id',
    'my-client',
  ]
  const vendor = [
    '--client-secret-env',
    'CLIENT_SECRET',
    '--scopes',
    'items:read',
    '--pending-timeout',
    '12s',
  ]
  try {
    const { code, stdout } = await runCli(
      [...args, ...provider, ...vendor, '--output', 'out'],
      folder,
      {
        env: { CLIENT_SECRET: secret },
        // The tool is started once the run has made the authority that it must trust.
        onOutput: () =>
          void (started.length === 0 && existsSync(join(authority, 'ca.pem')) && start()),
      },
    )
    expect(stdout).toContain('CONFORMANT')
    expect(code).toBe(0)
    const notApplicable = requirementsWith(recordIn(join(folder, 'out')), 'not-applicable')
    expect(notApplicable).toContain('store-durably')
  } finally {
    for (const tool of started) tool.kill()
  }
})
