import {
  issuedGrant,
  mayHaveTimedOut,
  served,
  tokenAccesses,
  unexplainedUse,
  upstreamAt,
} from '../../oauth-client/view.ts'
import { describe, expect, test } from 'vitest'
import {
  Recorder,
  SecretLedger,
  cite,
  gaveUpAfter,
  isAfter,
  mark,
  show,
  watched,
} from '../../../harness/engine/index.ts'
import { subjectsOf } from '../../oauth-client/scenarios/index.ts'
import { recording, type Ending, type Recording } from './testing.ts'
import {
  callOf,
  callsOf,
  citeMessages,
  isError,
  mayBeTooMany,
  wasRefused,
  wasTooMany,
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
  const t = recording().invoke()
  for (const text of ['no json', '[1]', 'null', '7', '"a"', '{}']) t.deliver(text)
  const call = callOf(t.transcript)
  expect([call.deliveries.length, call.messages.length]).toEqual([6, 1])
})

test('only an oauth message and a result answer a call', () => {
  const t = recording().invoke().message({ type: 'view_update' }).result().message({}).oauth()
  const { answers, oauth, results } = callOf(t.transcript)
  expect(answers.map(({ type }) => type)).toEqual(['tool_result', 'oauth'])
  expect([results, oauth]).toEqual([[answers[0]], [answers[1]]])
})

test('a flow at the provider belongs to the call that began it', () => {
  const { transcript } = recording().invoke().authorizationRequest().invoke()
  expect(callsOf(transcript).map((call) => call.authorizationRequests.length)).toEqual([1, 0])
})

test('a call that was too many and was made once more is the later one', () => {
  const t = recording().invoke({ id: 'first' }).result('Error: too many calls')
  expect([wasTooMany(callOf(t.transcript)), callOf(t.transcript).results.length]).toEqual([true, 1])
  t.invokeAgain({ id: 'second' })
  expect(wasTooMany(callOf(t.transcript))).toBe(false)
  const [call, ...others] = callsOf(t.oauth().transcript)
  expect(others).toEqual([])
  expect(call).toMatchObject({ name: 'call-1', sent: { id: 'second' }, results: [] })
  expect(call?.deliveries).toHaveLength(1)
})

test.each([
  ['told of a limit', recording().invoke().result('Error: too many calls.'), true],
  ['told of a quota', recording().invoke().result('Error: your quota is used up.'), true],
  ['told of a busy server', recording().invoke().result('Error: I am too busy.'), true],
  ['refused with 429', recording().invoke({}, 429), true],
  ['refused with 503', recording().invoke({}, 503), true],
  ['refused with 503, and answered', recording().invoke({}, 503).oauth(), false],
  ['refused with 403', recording().invoke({}, 403), false],
  [
    'limited at its API after consent',
    recording().invoke().oauth().result('Error: rate limit'),
    false,
  ],
])('a call that is %s: too many at once %s', (_, { transcript }, expected) => {
  expect(wasTooMany(callOf(transcript))).toBe(expected)
})

test.each([
  [
    'ended in words, and nothing was asked of anybody',
    recording().invoke().result('Langsam!'),
    true,
  ],
  ["is given somebody's data", recording().invoke().result('1 item of subject-of-user-1'), false],
  ['met a server that fails', recording().invoke({}, 502), true],
  ['is served', recording().completed().invoke().upstream('/resource/items').result(), false],
  ['is refused', recording().invoke({}, 400), false],
  [
    'left over a certificate',
    recording().invoke().step('connection-unused').result('Error: certificate'),
    false,
  ],
  ['ended after its user was asked', recording().invoke().oauth().result('Error: denied'), false],
  ['waits', recording().invoke(), false],
])('a call that %s: may be too many %s', (_, t, expected) => {
  const call = callsOf(t.transcript).at(-1)!
  expect(mayBeTooMany(t.transcript, call)).toBe(expected)
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

test('the grant of a call is the one that was issued, and a use that was refused is not served', () => {
  const t = recording().invoke().refused().grant().access({ outcome: 'refused' })
  const call = callOf(t.transcript)
  expect(issuedGrant(call)).toBe(call.grants[1])
  expect(call.accesses.map(served)).toEqual([false])
})

test('requests to the provider are told by how their path begins', () => {
  const t = recording().invoke().upstream('/resource/items').upstream('/api/resource')
  const call = callOf(t.transcript)
  expect(upstreamAt(call, '/resource')).toEqual([call.upstream[0]])
})

test('error results are recognised by their first word', () => {
  const texts = ['Error: no', ' error', 'ERROR - x', 'Errors: 0', 'no error', '']
  const t = recording().invoke()
  for (const text of texts) t.result(text)
  expect(callOf(t.transcript).results.map(isError)).toEqual([true, true, true, false, false, false])
})

test('content supersedes text, and an error may be told in either', () => {
  const content = (...texts: unknown[]) => texts.map((text) => ({ type: 'text', text }))
  const t = recording().invoke()
  t.result('see below', { content: content('1. Welcome', '2. Notes') })
  t.result('1. Welcome', { content: [{ type: 'image', data: 'aGk=', mediaType: 'image/png' }] })
  t.result('1. Welcome', { content: [] })
  t.result('Error: no', { content: content('no') })
  t.result('no', { content: content('Error: no') })
  const { ended } = callOf(t.transcript)
  expect(ended.map(({ text }) => text)).toEqual([
    '1. Welcome\n2. Notes',
    '1. Welcome',
    '1. Welcome',
    'no',
    'Error: no',
  ])
  expect(ended.map(({ error }) => error)).toEqual([false, false, false, true, true])
})

test('marks, windows and waiting in vain', () => {
  const t = recording().invoke().gaveUp(5000).window(300).window(1000).mark('forged')
  t.invoke().gaveUp(7000)
  const { transcript } = t
  expect(mark(transcript, 'forged')?.detail).toEqual({ name: 'forged' })
  expect(mark(transcript, 'genuine')).toBeUndefined()
  expect(watched(transcript)).toBe(1000)
  expect(watched(recording().transcript)).toBeUndefined()
  expect(gaveUpAfter(transcript, 'call-1')).toBe(5000)
  expect(gaveUpAfter(transcript, 'call-2')).toBe(7000)
  expect(gaveUpAfter(transcript, 'call-3')).toBeUndefined()
})

test('the last time that a call was waited for in vain counts', () => {
  const { transcript } = recording().invoke().gaveUp(5000).gaveUp(6000).gaveUp(7000)
  expect(gaveUpAfter(transcript, 'call-1')).toBe(7000)
})

test('only a window that began after an event watched what came after it', () => {
  const { transcript } = recording().window(1000)
  const began = 10
  expect(watched(transcript, { t: began })).toBe(1000)
  // The timer of a window may fire early by this much.
  expect(watched(transcript, { t: began + 20 })).toBe(1000)
  expect(watched(transcript, { t: began + 21 })).toBeUndefined()
})

test('a pending timeout may be over a tenth early, counted from the invocation', () => {
  const call = callOf(recording('a-scenario', 5000).invoke().transcript)
  const t = call.request?.t ?? 0
  expect(mayHaveTimedOut(call, { t: t + 3600 }, 4000)).toBe(true)
  expect(mayHaveTimedOut(call, { t: t + 3599 }, 4000)).toBe(false)
  expect(mayHaveTimedOut(call, { t: t + 9999 }, undefined)).toBe(false)
  const none = callOf(recording().transcript)
  expect(mayHaveTimedOut(none, { t: 9999 }, 4000)).toBe(false)
})

test('only an answer of the kind 4xx refuses an invocation', () => {
  const refuses = (ending: Ending) => wasRefused(callOf(recording().invoke({}, ending).transcript))
  expect(([400, 499] as const).map(refuses)).toEqual([true, true])
  expect(([200, 399, 500, 'refused', 'open'] as const).map(refuses)).not.toContain(true)
})

test('a user is known by every account with which they decided, in all of their calls', () => {
  const decided = (user_id: string | null, subject: string) => ({ user_id, subject })
  const t = recording()
  for (const { user_id, subject } of [
    decided('ann', 'subject-1'),
    decided('bob', 'subject-2'),
    decided('ann', 'subject-3'),
    decided(null, 'subject-4'),
  ])
    t.invoke({ user_id }).oauth().decision({ subject })
  expect(subjectsOf({ callsOf }, t.transcript, 'ann')).toEqual(['subject-1', 'subject-3'])
  expect(subjectsOf({ callsOf }, t.transcript, 'eve')).toEqual([])
})

describe('a use of another user’s token', () => {
  const use = (t: Recording) => {
    const [own, other] = callsOf(t.transcript)
    return own && other && unexplainedUse([own], other)
  }
  const begun = () => recording().authorized({ user_id: 'ann' })

  test('is unexplained if the calls of its user did not need it', () => {
    const t = begun().access().result().invoke({ user_id: 'bob' }).on('call-1').access()
    expect(use(t)).toBe(callOf(t.transcript).accesses[1])
  })

  test('is unexplained if no call of its user got a result', () => {
    const t = begun().invoke({ user_id: 'bob' }).on('call-1').access()
    expect(use(t)).toBe(callOf(t.transcript).accesses[0])
  })

  test('is explained by a result of its user, even if that comes late', () => {
    const t = begun().invoke({ user_id: 'bob' }).on('call-1').access().result()
    expect(use(t)).toBeUndefined()
  })

  test('cannot be for a call that was not made yet', () => {
    const t = begun().access().access().result().invoke({ user_id: 'bob' })
    expect(use(t)).toBeUndefined()
  })

  test('needs a token that the provider knows', () => {
    const t = begun().invoke({ user_id: 'bob' }).on('call-1').access({ token: undefined })
    expect(use(t)).toBeUndefined()
  })
})

test('evidence is cited for messages that came', () => {
  const { oauth } = callOf(recording().invoke().oauth().transcript)
  expect(citeMessages(undefined, ...oauth)).toEqual(cite(oauth[0]?.event))
})

test('at the same time the number decides what came after', () => {
  expect(isAfter({ t: 2, seq: 1 }, { t: 1, seq: 9 })).toBe(true)
  expect(isAfter({ t: 1, seq: 10 }, { t: 1, seq: 9 })).toBe(true)
  expect(isAfter({ t: 1, seq: 9 }, { t: 1, seq: 9 })).toBe(false)
  expect(isAfter({ t: 1, seq: 10 }, { t: 2, seq: 9 })).toBe(false)
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

test('a message below the body limit stays a message', () => {
  const call = recorded(JSON.stringify({ type: 'tool_result', text: 'x'.repeat(300_000) }))
  expect(call.results).toHaveLength(1)
})
