import { expect, test } from 'vitest'
import { Transcript, type RecordedEvent } from '../../harness/engine/index.ts'
import { failed, recordOf, request } from '../testing.ts'
import { slownessNote } from './slowness.ts'

const base = { scenario: 'denied-consent', call: 'call-1' }
const gaveUp: RecordedEvent = {
  ...base,
  seq: 1,
  t: 5000,
  type: 'step',
  action: 'gave-up',
  detail: { what: 'no message', within: 5000 },
}
const message: RecordedEvent = { ...request, ...base, seq: 2, t: 6000, channel: 'callback' }

const noteOf = (...events: RecordedEvent[]) =>
  slownessNote(recordOf([]), new Map([['denied-consent', new Transcript(events)]]))

test('what arrives after the run has stopped waiting names the settings to raise, once', () => {
  const note = noteOf(gaveUp, message, { ...message, seq: 3, t: 7000 })
  expect(note).toMatch(/^in denied-consent something arrived .*timing\.step \(1 ms\).*--max-wait/)
})

test.each<[string, RecordedEvent]>([
  ['earlier', { ...message, t: 4000 }],
  ['for another call', { ...message, call: 'call-2' }],
  ['from the harness', { ...message, channel: 'invocation' }],
])('what arrived %s says nothing', (_, event) => {
  expect(noteOf(gaveUp, event)).toBeUndefined()
})

test('what was too much at once names the one setting', () => {
  const note = noteOf({ ...gaveUp, action: 'too-many', detail: {} })
  expect(note).toMatch(
    /^in one scenario .* that it is overloaded.* timing\.concurrency \(\d+\) to 1\.$/,
  )
})

test('nothing is said where nothing was waited for in vain', () => {
  expect(noteOf(message)).toBeUndefined()
})

const busy: RecordedEvent = {
  scenario: 'run',
  seq: 1,
  t: 9000,
  type: 'step',
  action: 'busy-machine',
  detail: { lateMs: 812 },
}

test.each([
  [1, /for that reason alone, although one scenario was driven once more for it\. /],
  [2, /for that reason alone, although 2 scenarios were driven once more for it\. /],
] as const)('that %i scenarios were driven once more is told', (count, told) => {
  const again = { ...busy, action: 'driven-again', detail: { scenario: 'a', why: 'busy' } }
  const record = recordOf([{ ...failed, verdict: 'inconclusive' }])
  const events = [busy, ...Array.from({ length: count }, () => again)]
  const note = slownessNote(record, new Map([['run', new Transcript(events)]]))
  expect(note).toMatch(told)
})

test('that scenarios were driven once more, alone, is told with the setting that avoids it', () => {
  const again = { ...busy, action: 'driven-again', detail: { scenario: 'a', why: 'beside-others' } }
  const note = slownessNote(recordOf([]), new Map([['run', new Transcript([again])]]))
  expect(note).toMatch(/^one scenario was driven once more, alone, .* lower timing\.concurrency/)
})

test.each([
  ['inconclusive', /^this machine was busy \(a timer came 812 ms late\): .* Run it again/],
  ['pass', /^none$/],
] as const)('that the machine was busy is told where something is %s', (verdict, told) => {
  const record = recordOf([{ ...failed, verdict }])
  const note = slownessNote(record, new Map([['run', new Transcript([busy])]]))
  expect(note ?? 'none').toMatch(told)
})

test('that scenarios were driven one after the other is told', () => {
  const serial = { ...busy, action: 'one-at-a-time', detail: {} }
  const note = slownessNote(recordOf([]), new Map([['run', new Transcript([serial])]]))
  expect(note).toMatch(/^the implementation does few things at a time, /)
})
