/** What `aoc run` says about runtimes, through the built package. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { certify, requirementsWith, runCli, scratch } from './run-cli.ts'
import {
  adaptedBy,
  adaptedRuntime,
  crossedRuntime,
  minimalRuntime,
  sloppyRuntime,
} from './runtimes.ts'

test('the reference runtime behind an adapter in Python is certified', async () => {
  const { code, record } = await certify(adaptedRuntime)
  const others = record.findings.filter(({ verdict }) => verdict !== 'pass')
  const scenariosOf = (wanted: string): string[] => [
    ...new Set(others.filter(({ verdict }) => verdict === wanted).map(({ scenario }) => scenario)),
  ]
  // Every invocation of it has a text as its call_id.
  expect(scenariosOf('not-offered')).toEqual(['result-with-other-call-id'])
  // What an adapter reports cannot be looked at a second time, and nobody can leave it.
  expect(scenariosOf('not-applicable')).toEqual([
    'pending-for-long',
    'asked-after-restart',
    'user-leaves-while-pending',
    'reopened-after-completion',
    'asked-while-away',
    'over-while-away',
    'reopened-while-pending',
  ])
  expect(others.map(({ verdict }) => verdict).filter((each) => !each.startsWith('not-'))).toEqual(
    [],
  )
  expect(code).toBe(0)
})

test('an adapter that prints rubbish is an error of the harness, not of the runtime', async () => {
  const folder = scratch()
  const rubbish = adaptedBy(process.execPath, '-e', 'console.log("Listening on 8080")')
  writeFileSync(join(folder, 'c.json'), JSON.stringify(rubbish))
  const { code, stderr } = await runCli(['run', '--config', 'c.json'], folder)
  expect(stderr).toContain('printed something that is not an event')
  expect(code).toBe(70)
})

/** Arguments by which a run drives these scenarios, and what they rest on. */
const only = (...scenarios: string[]): string[] => scenarios.flatMap((id) => ['--filter', id])

describe('the minimal example of RAP, with no handling of oauth messages', () => {
  test('fails the checks about surfacing, pending state and forged callbacks', async () => {
    // One scenario for each thing that it cannot do, and some that it can.
    const args = only(
      'authorize-and-complete',
      'complete-without-oauth',
      'talk-while-pending',
      'content-and-text',
      'url-escapes',
      'duplicate-result',
      'message-unknown-type',
      'result-after-completion',
      'result-missing-group',
      'result-wrong-types',
      'acknowledged-with-400',
      'acknowledged-with-503',
    )
    const { code, record } = await certify(minimalRuntime, { args })
    expect(code).toBe(1)
    expect(requirementsWith(record, 'fail')).toEqual([
      'content-supersedes-text',
      'discard-unmatched-result',
      'keep-call-pending',
      'oauth-needs-user',
      'surface-auth-url',
      'validate-callbacks',
    ])
    expect(requirementsWith(record, 'warn')).toEqual([
      'idempotent-duplicates',
      'inform-model',
      'reject-invalid-callback',
      'report-undeliverable',
      'retry-on-failure',
      'retry-with-backoff',
      'survive-malformed-callback',
    ])
    const surfacing = record.findings.find(
      (each) => each.verdict === 'fail' && each.requirement.endsWith('/surface-auth-url'),
    )
    expect(surfacing?.message).toContain('show auth_url where the user sees it')
  })
})

test('a runtime of an afternoon fails where it is wrong, and only there', async () => {
  const { code, record } = await certify(sloppyRuntime)
  expect(code).toBe(1)
  expect(requirementsWith(record, 'fail')).toEqual([
    'content-supersedes-text',
    'discard-auth-url',
    'discard-unmatched-result',
    'invocation-faithful',
    'invocation-valid',
    'no-invocation-retry',
    'process-group-serially',
    'validate-callbacks',
  ])
  expect(requirementsWith(record, 'warn')).toContain('idempotent-duplicates')
  expect(requirementsWith(record, 'pass')).toContain('surface-auth-url')
})

test('a runtime that mixes its conversations up', async () => {
  const args = only('authorize-and-complete', 'two-conversations')
  const { code, record } = await certify(crossedRuntime, { args })
  expect(code).toBe(1)
  expect(requirementsWith(record, 'fail')).toEqual(
    expect.arrayContaining(['isolate-conversations', 'surface-to-own-user']),
  )
})
