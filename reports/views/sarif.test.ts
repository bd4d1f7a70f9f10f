import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import type { Finding } from '../../harness/engine/index.ts'
import { sarifJson, sarifSchema } from './sarif.ts'
import { failed, hostile, recordOf } from '../testing.ts'

// The schema as OASIS published it; draft 4 calls `id` what later drafts call `$id`.
const published = JSON.parse(
  readFileSync(new URL('fixtures/sarif-schema-2.1.0.json', import.meta.url), 'utf8'),
) as Record<string, unknown>
const { id, $schema: _, ...schema } = published
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(schema)

interface Log {
  readonly $schema: string
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
    readonly results: readonly Record<string, unknown>[]
    readonly invocations: readonly Record<string, unknown>[]
  }[]
}

function logOf(findings: readonly Finding[], change = {}): Log {
  const log: unknown = JSON.parse(sarifJson({ ...recordOf(findings), ...change }))
  validate(log)
  expect(validate.errors ?? []).toEqual([])
  return log as Log
}

test('names the schema that it is valid against', () => {
  expect(logOf([]).$schema).toBe(id)
  expect(sarifSchema).toBe(id)
})

test('the schema would notice', () => {
  const log = logOf([failed])
  expect(validate({ ...log, surprise: 1 })).toBe(false)
  expect(validate({ ...log, version: '2.0.0' })).toBe(false)
})

test.each([
  ['fail', 'fail', 'error'],
  ['warn', 'fail', 'warning'],
  ['inconclusive', 'open', 'none'],
] as const)('%s is a result of kind %s and level %s', (verdict, kind, level) => {
  const [run] = logOf([{ ...failed, verdict }]).runs
  expect(run?.tool.driver.rules.map((rule) => rule.id)).toEqual(['p/tool/echo-id'])
  expect(run?.results).toMatchObject([{ ruleId: 'p/tool/echo-id', ruleIndex: 0, kind, level }])
})

test('what passed or does not apply is no alert', () => {
  const verdicts = ['pass', 'not-applicable'] as const
  const [run] = logOf(verdicts.map((verdict) => ({ ...failed, verdict }))).runs
  expect(run?.results).toEqual([])
})

test('points at the line of the transcript', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const [scenario] = recordOf([]).scenarios
  const transcript = { file: 'transcripts/a b%.jsonl', digest }
  const [run] = logOf([failed], { scenarios: [{ ...scenario, transcript }] }).runs
  expect(run?.results[0]?.['locations']).toMatchObject([
    {
      physicalLocation: {
        artifactLocation: { uri: 'transcripts/a%20b%25.jsonl', uriBaseId: 'RUN' },
        region: { startLine: 4 },
      },
    },
  ])
})

test('stays valid whatever the implementation and a record say', () => {
  const odd = { ...failed, requirement: hostile, scenario: '\ud800', message: '' }
  const seqs = [-1, 0, 1e300, Number.NaN].map((seq) => ({ scenario: '\ud800', seq }))
  for (const place of seqs) logOf([{ ...odd, evidence: [place] }])
  const failures = [{ scenario: hostile, message: '' }]
  const [run] = logOf([odd], { failures, interrupted: 'SIGINT' }).runs
  expect(run?.invocations[0]).toMatchObject({ executionSuccessful: false })
})
