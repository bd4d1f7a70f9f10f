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

test('a turn is delayed, and what is asked beside it without tools is not', () => {
  const ledger = new SecretLedger()
  const log = new Recorder({ scenario: 'a-scenario', ledger, now: () => 0 })
  const script = new ModelScript(new Attribution(), log, ledger)
  script.plan(reference, { delayUntil: new Promise(() => {}) })
  const isDelayed = (tools: readonly { readonly name: string }[]): boolean => {
    const reply = script.decide({
      exchange: 'x1',
      api: 'chat-completions',
      stream: false,
      model: 'model-1',
      messages: [said],
      tools,
      images: 0,
      raw: {},
      headers: {},
    })
    return reply !== 'hold' && reply.delayUntil !== undefined
  }
  // Until tools are offered, nothing tells them apart.
  expect(isDelayed([])).toBe(true)
  expect(isDelayed([{ name: tool }])).toBe(true)
  expect(isDelayed([])).toBe(false)
})

test.each([
  ['parallel_tool_calls', { parallel_tool_calls: false }],
  ['tool_choice', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
])('who forbids parallel calls by %s gets the next one with the result', (_, raw) => {
  const ledger = new SecretLedger()
  const log = new Recorder({ scenario: 'a-scenario', ledger, now: () => 0 })
  const attribution = new Attribution()
  const references = [1, 2].map((nth) => tokenOf('ref', nth))
  for (const each of references) attribution.bind(each, { recorder: log, call: each })
  const script = new ModelScript(attribution, log, ledger)
  script.plan(reference, { calls: references.map((each) => ({ tool, reference: each })) })
  const asked = (messages: readonly ModelMessage[]) => {
    const reply = script.decide({
      exchange: 'x1',
      api: 'chat-completions',
      stream: false,
      model: 'model-1',
      messages,
      tools: [{ name: tool }],
      images: 0,
      raw,
      headers: {},
    })
    const calls = reply !== 'hold' && 'toolCalls' in reply ? reply.toolCalls : []
    return (calls ?? []).map((call) => call.arguments['reference'])
  }
  const result = (nth: number): ModelMessage => {
    const scope = attribution.scopeOf(references[nth]!)
    if (scope) attribution.bind(`id-${nth}`, scope)
    return { role: 'tool', text: '', toolResults: [{ callId: `id-${nth}`, text: 'items' }] }
  }
  expect(asked([said])).toEqual([references[0]])
  expect(asked([said])).toEqual([])
  expect(asked([said, result(0)])).toEqual([references[1]])
  expect(asked([said, result(0), result(1)])).toEqual([])
})
