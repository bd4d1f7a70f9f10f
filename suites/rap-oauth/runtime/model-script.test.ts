import { expect, test } from 'vitest'
import { Recorder, SecretLedger } from '../../../harness/engine/index.ts'
import type { ModelMessage } from '../../../harness/parties/index.ts'
import { Attribution } from './attribution.ts'
import { ModelScript } from './model-script.ts'
import { tokenOf } from './testing.ts'
import { toolNames } from './vocabulary.ts'

const [tool] = toolNames
const reference = tokenOf('ref', 1)
const said: ModelMessage = { role: 'user', text: `List what I have, reference ${reference}.` }
const title: ModelMessage = { role: 'user', text: 'Give this conversation a title.' }
const reminder: ModelMessage = { role: 'system', text: 'Answer in short.' }

/** For each request, whether the model asked for the tool. */
function calls(...requests: readonly (readonly ModelMessage[])[]): boolean[] {
  const ledger = new SecretLedger()
  const log = new Recorder({ scenario: 'a-scenario', ledger, now: () => 0 })
  const script = new ModelScript(new Attribution(), log, ledger)
  script.plan(reference, { calls: [{ tool, reference }] })
  return requests.map((messages) => {
    const reply = script.decide({
      exchange: 'x1',
      api: 'chat-completions',
      stream: false,
      model: 'model-1',
      messages,
      tools: [{ name: tool }],
      images: 0,
      raw: {},
      headers: {},
    })
    return reply !== 'hold' && 'toolCalls' in reply
  })
}

test('the tool is asked for once', () => {
  expect(calls([said], [said])).toEqual([true, false])
  expect(calls([said, reminder], [said, reminder])).toEqual([true, false])
})

test('what is asked beside a turn does not take the call away from it', () => {
  expect(calls([said], [said, title])).toEqual([true, false])
  expect(calls([said, title], [said], [said])).toEqual([true, true, false])
})
