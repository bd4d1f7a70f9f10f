/** What `aoc run` finds in tools that are broken, or mean harm, through the built package. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRunRecord } from '../reports/index.ts'
import { recordedLeaky } from './recorded-runs.ts'
import { certify, marked, requirementsWith } from './run-cli.ts'
import * as tools from './third-party.ts'

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
      'report-bad-arguments',
      'stable-redirect-uri',
      'state-unpredictable',
      'token-is-text',
      'token-type-known',
      'validate-issuer',
    ])
  })

  test('secrets in logs, results and pages', async () => {
    const { code, folder } = await recordedLeaky()
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
      'report-bad-arguments',
      'token-is-text',
      'token-type-known',
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
