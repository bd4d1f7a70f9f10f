import { expect, test } from 'vitest'
import { Recorder, SecretLedger } from '../../../harness/index.ts'
import { recording } from './testing.ts'
import {
  callOf,
  callsOf,
  isAfter,
  isError,
  issuedGrant,
  mark,
  served,
  show,
  tokenAccesses,
  upstreamAt,
  waitedInVain,
  watched,
} from './view.ts'

test('a call holds its own messages, flow and requests, and nobody else’s', () => {
  const { transcript } = recording().completed().invoke({ user_id: 'other' }).oauth()
  const [first, second] = callsOf(transcript)
  expect(callsOf(transcript)).toHaveLength(2)
  expect(first).toMatchObject({ name: 'call-1', sent: { id: 'id of call-1' } })
  expect(first?.ack).toMatchObject({ type: 'response', status: 200 })
  expect(first?.messages.map(({ type }) => type)).toEqual(['oauth', 'tool_result'])
  expect([first?.oauth.length, first?.results.length]).toEqual([1, 1])
  expect(first && issuedGrant(first)?.detail['outcome']).toBe('issued')
  expect(first && tokenAccesses(first).map(served)).toEqual([true])
  expect(first && upstreamAt(first, '/token')).toHaveLength(1)
  expect(second?.messages.map(({ type }) => type)).toEqual(['oauth'])
  expect(second?.grants).toEqual([])
})

test('only JSON objects are messages, every request is a delivery', () => {
  const t = recording().invoke().deliver('no json').deliver('[1]').deliver('null').deliver('{}')
  const call = callOf(t.transcript)
  expect([call.deliveries.length, call.messages.length]).toEqual([4, 1])
})

test('a call that was never made is empty', () => {
  const call = callOf(recording().transcript, 'call-7')
  expect(call).toMatchObject({ request: undefined, ack: undefined, messages: [], upstream: [] })
})

test('the last attempt of an invocation counts', () => {
  const t = recording().invoke({}, 'refused')
  t.post('call-1', '{}', 200)
  expect(callOf(t.transcript).ack).toMatchObject({ type: 'response', status: 200 })
})

test('a token that the provider does not know is none', () => {
  const t = recording().invoke().access({ token: undefined, credential: 'header' })
  expect(tokenAccesses(callOf(t.transcript))).toEqual([])
})

test('error results are recognised by their first word', () => {
  const texts = ['Error: no', ' error', 'ERROR - x', 'Errors: 0', 'no error', '']
  const t = recording().invoke()
  for (const text of texts) t.result(text)
  expect(callOf(t.transcript).results.map(isError)).toEqual([true, true, true, false, false, false])
})

test('marks, windows and waiting in vain', () => {
  const t = recording().invoke().gaveUp(5000).window(300).window(1000).mark('forged')
  t.invoke().gaveUp(7000)
  const { transcript } = t
  expect(mark(transcript, 'forged')?.detail).toEqual({ name: 'forged' })
  expect(mark(transcript, 'genuine')).toBeUndefined()
  expect(watched(transcript)).toBe(1000)
  expect(watched(recording().transcript)).toBeUndefined()
  expect(waitedInVain(transcript, 'call-1')).toBe(5000)
  expect(waitedInVain(transcript, 'call-2')).toBe(7000)
  expect(waitedInVain(transcript, 'call-3')).toBeUndefined()
})

test('at the same time the number decides what came after', () => {
  expect(isAfter({ t: 2, seq: 1 }, { t: 1, seq: 9 })).toBe(true)
  expect(isAfter({ t: 1, seq: 10 }, { t: 1, seq: 9 })).toBe(true)
  expect(isAfter({ t: 1, seq: 9 }, { t: 1, seq: 9 })).toBe(false)
  expect(isAfter({ t: 1, seq: 9 }, undefined)).toBe(false)
})

test('values are shown as JSON, absence as such', () => {
  expect([show(undefined), show(null), show('a')]).toEqual(['absent', 'null', '"a"'])
})

test.each(['[text withheld: it contains access_token-1]', 'https://127.0.0.1:4200*'])(
  'a recorded URL that is none throws nothing: %s',
  (url) => {
    const t = recording().invoke()
    const place = { channel: 'provider', exchange: 'p1', call: 'call-1' } as const
    t.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    expect(upstreamAt(callOf(t.transcript), '/token')).toEqual([])
  },
)

/** What a real recorder makes of a message on the callback URL. */
function recorded(text: string, secret?: string) {
  const ledger = new SecretLedger()
  if (secret) ledger.add('access_token', secret)
  const recorder = new Recorder({ scenario: 'a', ledger, now: () => 0 })
  const place = { channel: 'callback', exchange: 'x1', call: 'call-1' } as const
  const body = { text, bytes: Buffer.byteLength(text) }
  const url = 'http://127.0.0.1:4000/'
  recorder.record({ type: 'request', ...place, method: 'POST', url, headers: {}, body })
  return callOf(recorder.transcript())
}

test('a message with a plain secret stays a message', () => {
  const secret = 'at_0123456789abcdefghij'
  const call = recorded(JSON.stringify({ type: 'tool_result', text: secret }), secret)
  expect(call.results).toHaveLength(1)
})

test('a message with a partly escaped secret stays a message', () => {
  const secret = 'at_0123456789abcdefghij'
  const call = recorded(`{"type":"tool_result","text":"\\u0061${secret.slice(1)}"}`, secret)
  expect(call.results).toHaveLength(1)
})

test.fails('a message below the body limit stays a message', () => {
  // BUG: recorder.ts cuts strings at 256 KiB without marking the body, http.ts reads 1 MiB: a result of 300 kB (an
  // image) is recorded as broken JSON and judged as "no tool_result came".
  const call = recorded(JSON.stringify({ type: 'tool_result', text: 'x'.repeat(300_000) }))
  expect(call.results).toHaveLength(1)
})
