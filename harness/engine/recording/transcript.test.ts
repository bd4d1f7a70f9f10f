import { expect, test } from 'vitest'
import { bodyOf, bodyLimit } from '../../parties/http.ts'
import type { RecordedEvent } from './event.ts'
import { EventLog } from './event-log.ts'
import { Transcript, cite, jsonOf } from './transcript.ts'

let seq = 0
const at = (t: number, event: object, scenario = 'a'): RecordedEvent =>
  ({ seq: ++seq, t, scenario, ...event }) as RecordedEvent

const exchange = (id: string, channel: string, call: string) => ({
  exchange: id,
  channel,
  call,
  headers: {},
})
const asked = at(1, { type: 'request', ...exchange('x1', 'callback', 'call-1'), method: 'POST' })
const answered = at(2, { type: 'response', ...exchange('x1', 'callback', 'call-1'), status: 200 })
const failing = at(3, { type: 'request', ...exchange('x2', 'browser', 'call-2'), method: 'GET' })
const failed = at(4, { type: 'failure', ...exchange('x2', 'browser', 'call-2'), code: 'timeout' })
const open = at(5, { type: 'request', ...exchange('x3', 'callback', 'call-2'), method: 'POST' })
const invoked = at(6, { type: 'step', action: 'invoke', call: 'call-1', detail: {} })
const granted = at(7, { type: 'provider', event: 'grant', call: 'call-2', detail: {} })
const printed = at(8, { type: 'output', source: 'stdout', text: 'x', bytes: 1 })
const ended = at(9, { type: 'end', outcome: 'completed' })
const all = [asked, answered, failing, failed, open, invoked, granted, printed, ended]
const transcript = new Transcript(all)

test('finds requests by channel and call', () => {
  expect(transcript.requests('callback')).toEqual([asked, open])
  expect(transcript.requests('callback', 'call-2')).toEqual([open])
  expect(transcript.requests('provider')).toEqual([])
})

test('finds the answer to a request: a response, a failure, or none', () => {
  const answers = [...transcript.requests('callback'), ...transcript.requests('browser')].map(
    (request) => transcript.answer(request),
  )
  expect(answers).toEqual([answered, undefined, failed])
})

test('finds steps, the provider’s log and output', () => {
  expect(transcript.steps('invoke')).toEqual([invoked])
  expect(transcript.steps('invoke', 'call-2')).toEqual([])
  expect(transcript.provider('grant')).toEqual([granted])
  expect(transcript.provider('grant', 'call-1')).toEqual([])
  expect(transcript.outputs()).toEqual([printed])
})

test('knows how the drive ended, if it did', () => {
  expect(transcript.end).toBe(ended)
  expect(new Transcript([asked]).end).toBeUndefined()
})

test('merges recordings in the order in which things happened, and keeps their exchanges apart', () => {
  const other = [
    at(0.5, { type: 'request', ...exchange('x1', 'callback', 'call-1'), method: 'PUT' }, 'b'),
    at(2.5, { type: 'response', ...exchange('x1', 'callback', 'call-1'), status: 503 }, 'b'),
    at(8.5, { type: 'end', outcome: 'unreached' }, 'b'),
  ]
  const merged = Transcript.merge([transcript, new Transcript(other)])
  expect(merged.events).toHaveLength(all.length + other.length)
  expect(merged.events.map(({ t }) => t)).toEqual(
    merged.events.map(({ t }) => t).sort((a, b) => a - b),
  )
  const statuses = merged.requests('callback').map((request) => {
    const answer = merged.answer(request)
    return answer?.type === 'response' ? answer.status : undefined
  })
  expect(statuses).toEqual([503, 200, undefined])
  expect(merged.endOf('a')).toMatchObject({ outcome: 'completed' })
  expect(merged.endOf('b')).toMatchObject({ outcome: 'unreached' })
  expect(merged.endOf('c')).toBeUndefined()
})

test('at the same moment the order within a recording is kept', () => {
  const events = Array.from({ length: 50 }, (_, index) =>
    at(1, { type: 'step', detail: { index } }),
  )
  const merged = Transcript.merge([new Transcript(events), new Transcript([])])
  expect(merged.events).toEqual(events)
})

test('evidence points at events and leaves out what is not there', () => {
  expect(cite(asked, undefined, ended)).toEqual([
    { scenario: 'a', seq: asked.seq },
    { scenario: 'a', seq: ended.seq },
  ])
})

test('the JSON of a body, if it is whole and is JSON', () => {
  expect(jsonOf(bodyOf(Buffer.from('{"a":[1]}')))).toEqual({ a: [1] })
  expect(jsonOf(bodyOf(Buffer.from('null')))).toBeNull()
  expect(jsonOf(bodyOf(Buffer.from('{"a":')))).toBeUndefined()
  expect(jsonOf(bodyOf(Buffer.from('')))).toBeUndefined()
  expect(jsonOf(undefined)).toBeUndefined()
  expect(jsonOf(bodyOf(Buffer.alloc(bodyLimit + 1, '1')))).toBeUndefined()
  const nested = (levels: number) => `${'['.repeat(levels)}"]"${']'.repeat(levels)}`
  expect(jsonOf(bodyOf(Buffer.from(nested(400))))).toBeInstanceOf(Array)
  expect(jsonOf(bodyOf(Buffer.from(nested(200_000))))).toBeUndefined()
})

test('what is nested too deeply to be walked is no JSON', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}"[\\"["${']'.repeat(depth)}`
  const read = (text: string) => jsonOf({ text, bytes: text.length })
  expect(read(nested(100))).toBeDefined()
  expect(read(nested(200_000))).toBeUndefined()
})

test('the same events are found whether they were there at once or came one by one', () => {
  const log = new EventLog()
  const moments = all.map((event) => {
    log.add(event)
    return new Transcript({ log })
  })
  for (const [index, moment] of moments.entries()) {
    const whole = new Transcript(all.slice(0, index + 1))
    expect(moment.events).toEqual(whole.events)
    expect(moment.requests('callback')).toEqual(whole.requests('callback'))
    const answers = (t: Transcript) => t.requests('callback').map((request) => t.answer(request))
    expect(answers(moment)).toEqual(answers(whole))
    expect(moment.steps('invoke', 'call-1')).toEqual(whole.steps('invoke', 'call-1'))
    expect(moment.end).toEqual(whole.end)
  }
})

test.each(['"\\', '"', '\\"', '["\\\\'])('a body of nothing but %s is no JSON', (part) => {
  const read = jsonOf(bodyOf(Buffer.from(part.repeat(bodyLimit / part.length))))
  expect(read).toBeUndefined()
})
