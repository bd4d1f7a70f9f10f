import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { eventSchema, transcriptVersion, type NewEvent } from './event.ts'
import { Recorder, recordingLimits } from './recorder.ts'
import { SecretLedger } from './secrets/ledger.ts'

const secret = 'at_Zx81kQpLm27VbT94sRwE'
const directories: string[] = []

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function recorderOf(options: { directory?: string; now?: () => number } = {}) {
  const ledger = new SecretLedger()
  ledger.add('access_token', secret)
  return new Recorder({ scenario: 'denied', ledger, now: () => 0, ...options })
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'recorder-'))
  directories.push(directory)
  return directory
}

const step = (action: string, detail: Record<string, unknown> = {}): NewEvent => ({
  type: 'step',
  action,
  detail,
})

describe('what is recorded', () => {
  test('is numbered from 1 without gaps, and timed', () => {
    let time = 0
    const recorder = recorderOf({ now: () => (time += 1.26) })
    for (const action of ['a', 'b', 'c']) recorder.record(step(action))
    expect(recorder.transcript().events).toEqual([
      { ...step('a'), seq: 1, t: 1.3, scenario: 'denied' },
      { ...step('b'), seq: 2, t: 2.5, scenario: 'denied' },
      { ...step('c'), seq: 3, t: 3.8, scenario: 'denied' },
    ])
  })

  test('has exchanges of its own', () => {
    const recorder = recorderOf()
    expect([recorder.newExchange(), recorder.newExchange()]).toEqual(['x1', 'x2'])
  })

  test('has no secret in it, however deep it stood', () => {
    const recorder = recorderOf()
    recorder.record({
      type: 'request',
      channel: 'callback',
      exchange: 'x1',
      method: 'POST',
      url: `http://127.0.0.1/?token=${secret}`,
      headers: { authorization: `Bearer ${secret}`, [`x-${secret}`]: 'name' },
      body: { text: JSON.stringify({ deep: [{ token: secret }] }), bytes: 1 },
    })
    recorder.record(
      step('nested', { list: ['plain', { inner: [secret] }], [secret]: 1, none: null }),
    )
    const [request, nested] = recorder.transcript().events
    expect(JSON.stringify([request, nested])).not.toContain(secret)
    expect(request?.secrets?.map(({ id, kind, at }) => [id, kind, at])).toEqual([
      ['access_token-1', 'access_token', 'url'],
      ['access_token-1', 'access_token', 'headers.authorization'],
      ['access_token-1', 'access_token', 'body.text'],
    ])
    expect(nested?.secrets?.map(({ at }) => at)).toEqual(['detail.list[1].inner[0]'])
    expect(nested).toMatchObject({
      detail: { list: ['plain', { inner: ['[secret access_token-1]'] }], none: null },
    })
  })

  test('says in which form a secret was hidden', () => {
    const recorder = recorderOf()
    recorder.record(step('x', { text: Buffer.from(secret).toString('hex') }))
    const [event] = recorder.transcript().events
    expect(event?.secrets).toMatchObject([{ encoding: 'hex', at: 'detail.text' }])
    expect(JSON.stringify(event)).not.toContain(Buffer.from(secret).toString('hex'))
  })

  test('carries no empty list of secrets', () => {
    const recorder = recorderOf()
    recorder.record(step('x'))
    expect(recorder.transcript().events[0]).not.toHaveProperty('secrets')
  })

  test.fails('counts a secret in a key as seen', () => {
    // BUG: recorder.ts redactDeep throws the hits of keys away: a secret in a header name leaks unnoticed.
    const recorder = recorderOf()
    recorder.record(step('x', { [secret]: 'plain' }))
    expect(recorder.transcript().events[0]?.secrets).toHaveLength(1)
  })

  test.fails('names no secret in the path of another', () => {
    // BUG: recorder.ts redactDeep builds `at` from the raw key: the secret itself stands in the stored transcript.
    const recorder = recorderOf()
    recorder.record(step('x', { [secret]: secret }))
    expect(JSON.stringify(recorder.transcript().events)).not.toContain(secret)
  })

  test('keeps what it was given', () => {
    const detail = { list: [1, true, null], nested: { key: 'value', none: null } }
    const recorder = recorderOf()
    recorder.record(step('x', detail))
    expect(recorder.transcript().events[0]).toMatchObject({ detail })
  })
})

describe('bounds', () => {
  test('a long string is cut, after its secrets were removed', () => {
    const recorder = recorderOf()
    const text = `${'x'.repeat(recordingLimits.stringLength)}${secret}`
    recorder.record(step('long', { text }))
    const [event] = recorder.transcript().events
    const kept = JSON.stringify(event)
    expect(kept.length).toBeLessThan(recordingLimits.stringLength + 500)
    expect(kept).toContain('[cut: ')
    expect(event?.secrets).toHaveLength(1)
  })

  test('a secret across the cut leaves no half of itself', () => {
    const recorder = recorderOf()
    const text = 'x'.repeat(recordingLimits.stringLength - 8) + secret
    recorder.record(step('long', { text }))
    expect(JSON.stringify(recorder.transcript().events)).not.toContain(secret.slice(0, 8))
  })

  test('events beyond the limit are counted; the end comes all the same', () => {
    const recorder = recorderOf()
    for (let index = 0; index < recordingLimits.events + 5; index += 1) recorder.record(step('x'))
    recorder.record({ type: 'end', outcome: 'completed' })
    const { events } = recorder.transcript()
    expect(events).toHaveLength(recordingLimits.events + 2)
    expect(events.slice(-2)).toMatchObject([
      { action: 'recording-limit', detail: { dropped: 5 } },
      { type: 'end', seq: recordingLimits.events + 2 },
    ])
  })

  test('bytes beyond the limit are counted too', () => {
    const recorder = recorderOf()
    const text = 'x'.repeat(recordingLimits.stringLength)
    const enough = Math.ceil(recordingLimits.bytes / recordingLimits.stringLength)
    for (let index = 0; index < enough + 3; index += 1) recorder.record(step('x', { text }))
    expect(recorder.transcript().events).toHaveLength(enough)
  })

  test('the end is not counted as dropped', () => {
    const recorder = recorderOf()
    for (let index = 0; index < recordingLimits.events + 5; index += 1) recorder.record(step('x'))
    recorder.record({ type: 'end', outcome: 'completed' })
    expect(recorder.transcript().steps('recording-limit')[0]?.detail).toEqual({ dropped: 5 })
  })
})

test('nothing is taken after the end', () => {
  const directory = newDirectory()
  const recorder = recorderOf({ directory })
  expect(recorder.ended).toBe(false)
  recorder.record({ type: 'end', outcome: 'completed' })
  recorder.record(step('late'))
  recorder.record({ type: 'end', outcome: 'error' })
  expect(recorder.ended).toBe(true)
  expect(recorder.transcript().events).toHaveLength(1)
  expect(readFileSync(join(directory, 'denied.jsonl'), 'utf8')).not.toContain('late')
})

test('a transcript that was taken does not grow', () => {
  const recorder = recorderOf()
  recorder.record(step('a'))
  const early = recorder.transcript()
  expect(recorder.transcript()).toBe(early)
  recorder.record(step('b'))
  expect(early.events).toHaveLength(1)
  expect(recorder.transcript().events).toHaveLength(2)
})

test('the file is a header and one event for each line, readable by its owner alone', () => {
  const directory = join(newDirectory(), 'transcripts')
  const recorder = recorderOf({ directory })
  const file = join(directory, 'denied.jsonl')
  recorder.record(step('a', { text: `line\nbreak ${secret}` }))
  const written = readFileSync(file, 'utf8')
  expect(written).toMatch(/^.*\n.*\n$/)
  expect(written).not.toContain(secret)
  recorder.record({ type: 'end', outcome: 'completed' })
  const [header, ...lines] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(header).toEqual({ transcript: transcriptVersion, scenario: 'denied' })
  expect(lines.map((line) => eventSchema.parse(line))).toEqual(
    recorder.transcript().events.map((event) => ({ ...event, scenario: undefined })),
  )
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

describe('waiting', () => {
  const find = (action: string) => (t: { steps(action: string): unknown[] }) => t.steps(action)[0]
  const longer = 60_000

  test('finds what is there already', async () => {
    const recorder = recorderOf()
    recorder.record(step('a'))
    expect(await recorder.waitFor(find('a'), 0)).toMatchObject({ action: 'a' })
  })

  test('finds what comes later', async () => {
    const recorder = recorderOf()
    const waiting = recorder.waitFor(find('b'), longer)
    recorder.record(step('a'))
    recorder.record(step('b', { first: true }))
    recorder.record(step('b'))
    expect(await waiting).toMatchObject({ action: 'b', detail: { first: true } })
  })

  test('ends at the deadline', async () => {
    expect(await recorderOf().waitFor(find('a'), 1)).toBeUndefined()
  })

  test('ends with a signal, also one that was aborted before', async () => {
    const recorder = recorderOf()
    const controller = new AbortController()
    const never = new AbortController().signal
    const waiting = recorder.waitFor(find('a'), longer, never, controller.signal)
    controller.abort()
    expect(await waiting).toBeUndefined()
    expect(await recorder.waitFor(find('a'), longer, controller.signal)).toBeUndefined()
  })

  test('ends with the recording, which may end in what was waited for', async () => {
    const recorder = recorderOf()
    const vain = recorder.waitFor(find('a'), longer)
    const end = recorder.waitFor((t) => t.end, longer)
    recorder.record({ type: 'end', outcome: 'completed' })
    expect(await vain).toBeUndefined()
    expect(await end).toMatchObject({ type: 'end' })
    expect(await recorder.waitFor(find('a'), longer)).toBeUndefined()
  })

  test('finds what is falsy but not undefined', async () => {
    expect(await recorderOf().waitFor(() => 0, longer)).toBe(0)
  })
})
