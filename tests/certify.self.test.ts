/** What `aoc run` says about implementations that were not written by us, through the built package. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { parseRunRecord, type RunRecord } from '../reports/index.ts'
import { certify, marked, requirementsWith } from './run-cli.ts'
import * as tools from './third-party.ts'

const toolKey = 'key-of-the-vendor-0123456789'

function expectConformant(code: number | null, record: RunRecord): void {
  expect(record.findings.filter((each) => each.verdict === 'fail')).toEqual([])
  expect(record.findings.filter((each) => each.verdict === 'inconclusive')).toEqual([])
  expect(record.failures).toEqual([])
  expect({ code, verdict: record.verdict }).toEqual({ code: 0, verdict: 'conformant' })
}

describe('correct tools that are unlike ours', () => {
  test('a tool that every request reaches only after a second', async () => {
    const { code, record } = await certify(tools.slowTool)
    expectConformant(code, record)
    expect(requirementsWith(record, 'warn')).toEqual([])
  })

  test('plain node:http, by command', async () => {
    const { code, record } = await certify(tools.plainNode)
    expectConformant(code, record)
    expect(requirementsWith(record, 'warn')).toEqual([])
  })

  test('Python, which learns its provider from the 401 challenge and pushes its requests', async () => {
    const { code, record } = await certify(tools.python)
    expectConformant(code, record)
    expect(requirementsWith(record, 'warn')).toEqual([])
  })

  test('a tool that wants its own credential, which is in no artefact', async () => {
    const { code, record, folder } = await certify(tools.ownAuth, { env: { TOOL_KEY: toolKey } })
    expectConformant(code, record)
    expect(requirementsWith(record, 'warn')).toEqual([])
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(toolKey)
    }
  })

  test('a redirect URI that differs for every call is a best-practice warning of its own', async () => {
    const { code, record } = await certify(tools.queryRedirect)
    expectConformant(code, record)
    expect(requirementsWith(record, 'warn')).toEqual(['stable-redirect-uri'])
  })
})

describe('broken tools', () => {
  test('identity from the callback, predictable state, denial unreported, call_id dropped, plain storage', async () => {
    const { code, record } = await certify(tools.expressStyle, { args: ['--max-wait', '10s'] })
    expect(code).toBe(1)
    expect(requirementsWith(record, 'fail')).toEqual([
      'auth-url-https',
      'echo-call-id',
      'identity-from-invocation',
      'report-authorization-error',
      'report-denial',
      'token-bound-to-user',
    ])
    expect(requirementsWith(record, 'warn')).toEqual([
      'encrypt-at-rest',
      'no-credentials-elsewhere',
      'persist-pending-calls',
      'stable-redirect-uri',
      'state-unpredictable',
      'validate-issuer',
    ])
  })

  test('secrets in logs, results and pages', () => {
    const { code, folder } = inject('recordedLeaky')
    const record = parseRunRecord(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')))
    expect(code).toBe(1)
    expect(requirementsWith(record, 'fail')).toEqual([
      'auth-url-https',
      'no-secrets-in-logs',
      'no-secrets-in-results',
    ])
    expect(requirementsWith(record, 'warn')).toEqual([
      'escape-pages',
      'no-client-secret-in-output',
      'no-credentials-elsewhere',
      'persist-pending-calls',
      'validate-issuer',
    ])
    expect(JSON.stringify(record)).toContain('[secret access_token-')
    expect(readFileSync(join(folder, 'transcripts/run.jsonl'), 'utf8')).toContain(
      'code=[secret authorization_code-',
    )
  })

  test('one token for everybody', async () => {
    // Every scenario has users of its own: a part of them, judged together, shows it.
    const { code, record } = await certify(tools.crossed, { args: ['--shard', '1/8'] })
    expect(code).toBe(1)
    expect(requirementsWith(record, 'fail')).toContain('token-bound-to-user')
  })

  test('work before the acknowledgement, endless waiting, retries of what was refused', async () => {
    const scenarios = [
      'resource-held-back',
      'abandoned-consent',
      'exchange-token-form-encoded',
      'stored-token-resource-connection-closed',
      'exchange-token-error-500',
      'unknown-code',
      'callback-404',
    ]
    const args = ['--max-wait', '10s', ...scenarios.flatMap((each) => ['--filter', each])]
    const { code, record } = await certify(tools.blocking, { args })
    expect(code).toBe(1)
    expect(requirementsWith(record, 'fail')).toEqual(
      expect.arrayContaining([
        'acknowledge-immediately',
        'documented-timeout',
        'never-permanently-pending',
        'report-exchange-error',
        'report-invalid-code',
      ]),
    )
    expect(requirementsWith(record, 'warn')).toContain('no-callback-retry-on-4xx')
  })
})

describe('what means harm', () => {
  test.concurrent.each(['flood', 'hostile'])(
    'a server of the kind %s harms nothing',
    { timeout: 180_000 },
    async (mode) => {
      const { configuration, running } = marked(tools.silent(mode))
      // Every scenario meets the same server: a part of them is as much as all.
      const args = ['--max-wait', '6s', '--shard', '1/8']
      const { code, record, folder } = await certify(configuration, { args })
      expect(code).toBe(1)
      expect(record.failures).toEqual([])
      const junit = readFileSync(join(folder, 'junit.xml'), 'utf8')
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(junit).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
      expect(running()).toEqual([])
    },
  )
})
