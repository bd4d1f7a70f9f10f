import { describe, expect, test } from 'vitest'
import { Transcript } from '../../../harness/engine/index.ts'
import { recording } from './testing.ts'
import {
  arrived,
  askedOf,
  callOf,
  callsOf,
  delivered,
  gaveUp,
  idsOf,
  isAfter,
  mark,
  show,
  shownWith,
  statusOf,
  textOf,
  waitedInVain,
  watchedAfter,
} from './view.ts'

test('a call holds its own invocations and deliveries, and nobody else’s', () => {
  const { transcript } = recording().plain().running().oauth()
  const [first, second] = callsOf(transcript)
  expect(callsOf(transcript).map(({ name }) => name)).toEqual(['call-1', 'call-2'])
  expect(first).toMatchObject({ sent: { id: 'id of call-1' }, tool: expect.stringMatching(/\S/) })
  expect(first?.reference).not.toBe(second?.reference)
  expect(first?.conversation).not.toBe(second?.conversation)
  expect(first?.toolCall?.detail['id']).toBe('model-1')
  expect(first?.deliveries.map(({ name }) => name)).toEqual(['result'])
  expect(second?.deliveries.map(({ name }) => name)).toEqual(['oauth'])
  expect(second?.invocations).toHaveLength(1)
})

test('a call that was never made is empty', () => {
  const call = callOf(recording().transcript)
  expect(call).toEqual({
    name: 'call-1',
    reference: '',
    conversation: '',
    tool: '',
    invocations: [],
    sent: {},
    toolCall: undefined,
    deliveries: [],
  })
})

test.each(['no json', '[1]', 'null', '7', '"a"'])('an invocation by %s says nothing', (text) => {
  const t = recording().ask().exchange('invocation', 'http://127.0.0.1:4400/invoke', text)
  const { invocations, sent } = callOf(t.transcript)
  expect([invocations.length, sent]).toEqual([1, {}])
})

test('a delivery knows its own request and answer', () => {
  const { transcript } = recording().running().oauth().result('result', { answer: 202 })
  const [oauth, result] = callOf(transcript).deliveries
  expect(oauth && statusOf(oauth)).toBe(200)
  expect(result && statusOf(result)).toBe(202)
  expect(oauth?.url).toMatch(oauth?.token ?? 'no token')
  expect(result?.url).toBeUndefined()
  expect(result?.message).toMatchObject({ type: 'tool_result', text: result?.token })
  expect(delivered(transcript, 'result')).toEqual(result)
  expect(delivered(transcript, 'other')).toBeUndefined()
  expect(delivered(transcript, 'result', 'call-2')).toBeUndefined()
})

test('exchanges of several scenarios are told apart, although their numbers are the same', () => {
  const t = Transcript.merge([
    recording('first').running().result('result', { answer: 200 }).transcript,
    recording('second').running().result('result', { answer: 404 }).transcript,
  ])
  const { deliveries } = callOf(t)
  expect(deliveries.map(statusOf)).toEqual([200, 404])
})

test('only what was answered has arrived', () => {
  const sent = (answer: 500 | 'ECONNREFUSED' | 'open') =>
    delivered(recording().running().result('result', { answer }).transcript, 'result')
  expect(arrived(sent(500))).toBe(true)
  for (const answer of ['ECONNREFUSED', 'open'] as const) {
    const delivery = sent(answer)
    expect(arrived(delivery)).toBe(false)
    expect(delivery && statusOf(delivery)).toBeUndefined()
  }
  expect(arrived(undefined)).toBe(false)
})

test('a delivery that never left has no request', () => {
  const t = recording().running().step('deliver', { name: 'lost', exchange: 'none' })
  expect(callOf(t.transcript).deliveries[0]).toMatchObject({
    request: undefined,
    answer: undefined,
    token: '',
    message: {},
  })
})

test('requests to the model are told apart by their conversation, where that is known', () => {
  const t = recording().ask().ask()
  const detail = { exchange: 'x9', messages: [], tools: [] }
  const { transcript } = t.event({ type: 'step', action: 'model-asked', detail })
  const [first] = callsOf(transcript)
  expect(askedOf(transcript).map(({ conversation }) => conversation)).toEqual([
    first?.conversation,
    t.conversation,
    undefined,
  ])
  expect(askedOf(transcript, t.conversation).map(({ exchange }) => exchange)).toEqual(['x2'])
})

describe('a tool call may be answered', () => {
  const first = (t: ReturnType<typeof recording>) => callOf(t.transcript)

  test('under the ids of the model and of the runtime', () => {
    const ids = ['model-1', 'id of call-1', 'secondary id of call-1']
    expect(idsOf(first(recording().running()))).toEqual(ids)
    const t = recording().ask().invoke({ call_id: null })
    expect(idsOf(first(t))).toEqual(['model-1', 'id of call-1'])
    expect(idsOf(first(recording().ask().invoke({ call_id: '' })))).not.toContain('')
  })

  test('under the id by which the runtime repeats it to the model, and by no other', () => {
    const call = first(recording().running())
    const repeated = (reference: string, id: string) => ({
      role: 'assistant' as const,
      text: '',
      toolCalls: [{ id, name: 'a', arguments: { reference } }],
    })
    const messages = [
      { role: 'user' as const, text: call.reference },
      repeated(call.reference, 'renamed'),
      repeated('another', 'of another call'),
      {
        role: 'assistant' as const,
        text: '',
        toolCalls: [{ id: 'bare', name: 'a', arguments: undefined }],
      },
    ]
    const [asked] = askedOf(recording().ask().model({ messages }).transcript).slice(-1)
    expect(idsOf(call, asked)).toEqual([...idsOf(call), 'renamed'])
    // A call without a reference cannot be recognised.
    expect(idsOf({ ...call, reference: '' }, asked)).toEqual(idsOf(call))
  })
})

test('only what shows the exact URL is found', () => {
  const t = recording().running().oauth().shows('nothing').shows()
  const url = delivered(t.transcript, 'oauth')?.url ?? ''
  expect(shownWith(t.transcript, url)).toEqual([t.transcript.surfaces()[1]])
})

test('marks', () => {
  const { transcript } = recording().mark('forged')
  expect(mark(transcript, 'forged')?.detail).toEqual({ name: 'forged' })
  expect(mark(transcript, 'genuine')).toBeUndefined()
})

test('waiting in vain is told apart by call, by what was awaited and of which delivery', () => {
  const t = recording().running().gaveUp('surfaced', { within: 1000, of: 'oauth' })
  const { transcript } = t.gaveUp('surfaced', { within: 2000, of: 'again' }).gaveUp('given')
  expect(waitedInVain(transcript, 'surfaced', 'call-1', 'again')).toBe(2000)
  expect(waitedInVain(transcript, 'surfaced')).toBe(1000)
  expect(waitedInVain(transcript, 'given')).toBe(5000)
  expect(gaveUp(transcript, 'surfaced', 'call-1', 'other')).toBeUndefined()
  expect(waitedInVain(transcript, 'surfaced', 'call-2')).toBeUndefined()
})

test('only a window that began after a moment watched what came after it', () => {
  const { transcript } = recording().window(1000).window(300)
  const began = 10
  expect(watchedAfter(transcript, { t: began })).toBe(1000)
  // Timers may be early, and times are rounded.
  expect(watchedAfter(transcript, { t: began + 20 })).toBe(1000)
  expect(watchedAfter(transcript, { t: began + 21 })).toBe(300)
  expect(watchedAfter(transcript, { t: 9999 })).toBeUndefined()
  expect(watchedAfter(transcript, undefined)).toBeUndefined()
})

test('at the same time the number decides what came after', () => {
  expect(isAfter({ t: 2, seq: 1 }, { t: 1, seq: 9 })).toBe(true)
  expect(isAfter({ t: 1, seq: 10 }, { t: 1, seq: 9 })).toBe(true)
  expect(isAfter({ t: 1, seq: 9 }, { t: 1, seq: 9 })).toBe(false)
  expect(isAfter({ t: 1, seq: 10 }, { t: 2, seq: 9 })).toBe(false)
  expect(isAfter({ t: 1, seq: 9 }, undefined)).toBe(false)
})

test('only texts are texts, and absence is shown as such', () => {
  expect(['a', 7, null, undefined].map(textOf)).toEqual(['a', '', '', ''])
  expect([show(undefined), show(null), show('a')]).toEqual(['absent', 'null', '"a"'])
})
