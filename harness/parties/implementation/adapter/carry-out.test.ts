import { expect, test } from 'vitest'
import { Unreached } from '../../../engine/scenario.ts'
import { AdapterFailure, type Adapter } from './adapter.ts'
import { carryOut } from './carry-out.ts'
import type { AdapterAnswer } from './protocol.ts'

const answering = (answer: AdapterAnswer): Adapter =>
  ({ send: () => Promise.resolve(answer) }) as unknown as Adapter

test('what was declared and is refused is not reached, which is inconclusive and never not applicable', async () => {
  const refusing = answering({ event: 'unsupported', id: 1 })
  const refusal = carryOut(refusing, { command: 'start' })
  await expect(refusal).rejects.toThrow(Unreached)
  await expect(refusal).rejects.toThrow('the adapter does not support start')
})

test('what fails is a failure of the adapter, with its own words', async () => {
  const failing = answering({ event: 'failed', id: 1, message: 'no such port' })
  await expect(carryOut(failing, { command: 'start' })).rejects.toThrow(
    new AdapterFailure('failed at start: no such port'),
  )
})
