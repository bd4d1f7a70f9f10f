import { expect, test } from 'vitest'
import { commonSchema } from '../../harness/parties/index.ts'
import { buildRunRecord } from './build-run-record.ts'
import { parseRunRecord } from './run-record.ts'
import { catalogueBase, failed, transcripts } from '../testing.ts'

test('builds a record that its own schema accepts, redacted throughout', () => {
  const row = { keyword: 'MUST', basis: 'specification', source: 's', text: 't' } as const
  const unfinished = buildRunRecord({
    run: 'r1',
    suite: { name: 'suite', version: '1.0.0' },
    catalogue: {
      ...catalogueBase,
      requirements: [{ ...row, id: failed.requirement, since: '1', mend: 'Mend it.' }],
      scenarios: [
        {
          id: 'denied-consent',
          title: 'denied',
          control: 'c',
          checks: [{ requirement: failed.requirement, title: 'x' }],
        },
        { id: 'left-out', title: 'left out', checks: [] },
      ],
    },
    configuration: commonSchema.parse({ profile: 'p/tool', target: { command: ['/root/x'] } }),
    declared: { refreshTokens: true },
    facts: { provider: 'https://127.0.0.1:1', 'key TOP-SECRET': ['TOP-SECRET'] },
    findings: [{ ...failed, message: 'it sent TOP-SECRET' }],
    failures: [{ scenario: 'denied-consent', message: 'Error: TOP-SECRET at /root/file.ts' }],
    partial: { filters: ['denied'] },
    repetition: false,
    interrupted: false,
    started: new Date(1000),
    finished: new Date(3500),
    scenarios: ['denied-consent'],
    transcripts,
    files: new Map([
      ['denied-consent', { file: 'transcripts/d.jsonl', digest: `sha256:${'a'.repeat(64)}` }],
    ]),
    log: 'run',
    redact: (text) => text.replaceAll('TOP-SECRET', '[secret]'),
    folders: { '~': '/root' },
  })
  const { requirements } = unfinished
  const record = parseRunRecord(
    JSON.parse(JSON.stringify({ ...unfinished, exit: { code: 1, reason: 'broken' } })),
  )
  // A bundle is verified byte for byte, so what is read keeps the order in which it was written.
  expect(JSON.stringify(record.requirements)).toBe(JSON.stringify(requirements))
  expect(JSON.stringify(record)).not.toContain('TOP-SECRET')
  expect(JSON.stringify(record)).not.toContain('/root')
  expect(record).toMatchObject({
    verdict: 'non-conformant',
    durationMs: 2500,
    partial: { filters: ['denied'] },
    counts: { fail: 1 },
    scenarios: [{ id: 'denied-consent', control: 'c', outcome: 'unfinished', durationMs: 5 }],
    requirements: [{ verdict: 'fail' }],
    suite: { catalogue: { requirements: 1, scenarios: 2, checks: 1 } },
  })
})
