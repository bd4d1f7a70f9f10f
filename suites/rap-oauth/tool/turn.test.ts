import { expect, test } from 'vitest'
import { Recorder, SecretLedger } from '../../../harness/engine/index.ts'
import { startCallbackReceiver } from '../../../harness/parties/index.ts'
import { Turn } from './turn.ts'

test('the calls of a turn share a URL, where ids tell them apart; one made once more has its own', async () => {
  const recorder = new Recorder({ scenario: 'turns', ledger: new SecretLedger(), now: () => 0 })
  const receiver = await startCallbackReceiver({ origin: 'http://runtime.test' })
  let names = 0
  const turn = new Turn({ newName: (kind) => `${kind}-${(names += 1)}` })
  const [first, second] = ['1', '2'].map((n) =>
    turn.join(`call-${n}`, `id-${n}`, (callOf) =>
      receiver.open({ recorder, call: `call-${n}`, callOf }),
    ),
  )
  expect(second).toBe(first)
  expect(turn.join('call-1', 'id-3', () => ({ url: 'another' }))).toBeUndefined()

  const post = (id: string) =>
    receiver.fetch(new Request(first!, { method: 'POST', body: JSON.stringify({ id }) }))
  for (const id of ['id-2', 'id-1', 'id-of-nobody']) await post(id)
  const calls = recorder.transcript().requests('callback')
  expect(calls.map(({ call }) => call)).toEqual(['call-2', 'call-1', 'call-1'])
})
