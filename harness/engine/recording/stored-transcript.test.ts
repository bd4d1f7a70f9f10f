import { expect, test } from 'vitest'
import { parseTranscript, storedForm, TranscriptError } from './stored-transcript.ts'

const header = { transcript: 1, scenario: 'denied-consent' }
const step = { seq: 1, t: 0.5, type: 'step', action: 'invoke', detail: { user: null } }
const end = { seq: 2, t: 3, type: 'end', outcome: 'completed' }

function stored(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

test('gives the events back as they were recorded', () => {
  const { events } = parseTranscript(stored(header, step, end), 'denied-consent')
  expect(events).toEqual([
    { ...step, scenario: 'denied-consent' },
    { ...end, scenario: 'denied-consent' },
  ])
})

test('stores what it reads', () => {
  const content = stored(header, step, end)
  expect(storedForm('denied-consent', parseTranscript(content, 'denied-consent'))).toBe(content)
})

test.each<[string, string, string]>([
  ['nothing', '', 'transcript of version none'],
  ['no header', stored(step, end), 'transcript of version none'],
  ['another version', stored({ ...header, transcript: 2 }, step, end), 'version 2'],
  ['another scenario', stored({ ...header, scenario: 'x' }, step, end), 'the recording of "x"'],
  ['a header alone', stored(header), 'it is cut'],
  ['no end', stored(header, step), 'it is cut: the last event is not the end'],
  ['a last line without its end', stored(header, step, end).slice(0, -1), 'it is cut'],
  ['half a line', `${stored(header, step)}{"seq":2,"t\n`, 'line 3 is not JSON'],
  ['a missing event', stored(header, end), 'line 2: event 2 where 1 is expected'],
  ['an event twice', stored(header, step, step, end), 'line 3: event 1 where 2 is expected'],
  ['an unknown event', stored(header, { ...step, type: 'x' }, end), 'line 2: type'],
  ['an event without time', stored(header, { ...step, t: '1' }, end), 'line 2: t'],
  ['an empty line', `${stored(header, step)}\n${stored(end)}`, 'line 3 is not JSON'],
])('refuses %s', (_, content, why) => {
  const read = () => parseTranscript(content, 'denied-consent')
  expect(read).toThrow(TranscriptError)
  expect(read).toThrow(why)
})
