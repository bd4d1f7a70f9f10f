/** A planner that was not written for the suite, in another language, and that pauses in another way, is conformant. */

import { expect, test } from 'vitest'
import { certify, implementation } from './run-cli.ts'

const configuration = {
  profile: 'penguiflow-oauth/planner',
  implementation: { name: 'threads' },
  target: { command: [process.execPath, implementation('thread-planner/adapter.mjs')] },
  operation: { name: 'items_list' },
  others: { secondProvider: { name: 'notes_list' } },
  declares: { handles: 'chosen', callPath: 'adapter', listens: false, denied: 'no' },
}

test('threads that are interrupted', { timeout: 180_000 }, async () => {
  const { code, record } = await certify(configuration)
  const { findings, failures } = record
  expect(failures).toEqual([])
  expect(
    findings
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ scenario, verdict }) => `${scenario}: ${verdict}`),
  ).toEqual(
    [
      'restart-while-paused',
      'resume-twice-after-restart',
      'paused-with-token',
      'token-revoked',
      'token-revoked-beside-another',
      'consent-after-revocation',
      'resource-error-500',
      'whole-run',
    ].map((scenario) => `${scenario}: not-applicable`),
  )
  expect(code).toBe(0)
})
