import { expect, test } from 'vitest'
import { createRun } from '../../engine/run.ts'
import { provesNothingStep } from '../../engine/judging/judge-recorded.ts'
import type { ProviderEvent } from '../../../mock-provider/index.ts'
import { visitHeader } from '../user/user-agent.ts'
import { expectArrivals } from './arrivals.ts'

const timing = { ackMs: 1, stepMs: 1, observeMs: 1, maxWaitMs: 1, graceMs: 1 }
type Seen = Readonly<Record<string, unknown>>

const visit = (exchange: number): Seen[] => [
  { type: 'request', exchange, headers: { [visitHeader]: 'denied/call-1', host: 'github.com' } },
  { type: 'decision', exchange, action: exchange === 1 ? 'approve' : 'deny' },
  { type: 'response', exchange },
]
const asks = (host: string): Seen => ({ type: 'request', exchange: 9, headers: { host } })

function stepsAfter(...providers: readonly (readonly Seen[])[]) {
  const run = createRun({ timing })
  const arrivals = expectArrivals(['github.com', 'api.github.com'], run)
  for (const events of providers) {
    arrivals.watch({
      onEvent(listener) {
        for (const event of events) listener(event as unknown as ProviderEvent)
        return () => undefined
      },
    })
  }
  run.tellEnded()
  return run.log.transcript().steps(provesNothingStep)
}

test('who was approved and never asks under any of the names proves nothing', () => {
  const [step] = stepsAfter(visit(1))
  expect(step?.detail['scenarios']).toEqual(['denied'])
  expect(step?.detail['reason']).toContain('may have called the real provider')
})

test.each([
  ['it asks under one of them', [...visit(1), asks('api.github.com')]],
  ['it asks under one of them with a port', [...visit(1), asks('github.com:8443')]],
  ['nobody approved', visit(2)],
  ['nothing happened', []],
])('nothing is said where %s', (_, events) => {
  expect(stepsAfter(events)).toEqual([])
})

test('another name of this machine is not one of them', () => {
  expect(stepsAfter([...visit(1), asks('127.0.0.77')])).toHaveLength(1)
})

test('an instance that had nothing to ask for is no other program', () => {
  expect(stepsAfter(visit(1), [asks('github.com')])).toEqual([])
  expect(stepsAfter([asks('github.com')], visit(1))).toEqual([])
})
