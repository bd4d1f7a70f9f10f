/** Planners and managers that do nothing pass nothing; one that pauses for ever passes no more than what is asked of a pause alone. */

import { expect, test } from 'vitest'
import { certify, implementation, requirementsWith } from './run-cli.ts'

const configurationOf = (kind: string, role = 'planner') => ({
  profile: `penguiflow-oauth/${role}`,
  implementation: { name: kind },
  target: { command: ['python3', implementation('null-planner/adapter.py'), kind] },
  operation: { name: 'items_list' },
  others: { secondProvider: { name: 'notes_list' } },
  declares: { durable: true },
})

/** What is asked of a pause alone, whoever has paused and why. */
const ofPausing = ['handle-opaque', 'pause-payload', 'payload-fields']

test.concurrent.each([
  ['ok', [], 3],
  ['ends', [], 3],
  ['fails', [], 3],
  ['pauses', ofPausing, 3],
])('a planner that %s', { timeout: 180_000 }, async (kind, passed, exit) => {
  const { code, record } = await certify(configurationOf(kind), { args: ['--max-wait', '6s'] })
  expect(requirementsWith(record, 'pass')).toEqual(passed)
  expect(record.failures).toEqual([])
  expect(code).toBe(exit)
})

test('an adapter that dies is trouble of the harness', { timeout: 120_000 }, async () => {
  const { code, record } = await certify(configurationOf('dies'), { args: ['--max-wait', '6s'] })
  expect(requirementsWith(record, 'pass')).toEqual([])
  expect(code).toBe(70)
})

/** What is asked of the request of a pause, whatever comes of it. */
const ofRequests = ['authorization-request-valid', 'payload-matches-url', 'state-unpredictable']

test.concurrent.each([
  ['ok', []],
  ['ends', []],
  ['fails', []],
  ['pauses', ofRequests],
])('a manager that %s', { timeout: 180_000 }, async (kind, passed) => {
  const { code, record } = await certify(configurationOf(kind, 'manager'), {
    args: ['--max-wait', '6s'],
  })
  expect(requirementsWith(record, 'pass')).toEqual(passed)
  expect(record.failures).toEqual([])
  expect(code).toBe(3)
})
