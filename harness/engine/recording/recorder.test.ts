import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { eventSchema, transcriptVersion, type NewEvent } from './event.ts'
import { Recorder, recordingLimits, type RecorderOptions } from './recorder.ts'
import { SecretLedger } from './secrets/ledger.ts'
import type { Transcript } from './transcript.ts'

const secret = 'at_Zx81kQpLm27VbT94sRwE'
const directories: string[] = []

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function recorderOf(options: Partial<RecorderOptions> = {}) {
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
      ['access_token-1', 'access_token', 'headers.x-[secret access_token-1]'],
      ['access_token-1', 'access_token', 'body.text'],
    ])
    expect(nested?.secrets?.map(({ at }) => at)).toEqual([
      'detail.list[1].inner[0]',
      'detail.[secret access_token-1]',
    ])
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

  test('counts a secret in a key as seen', () => {
    const recorder = recorderOf()
    recorder.record(step('x', { [secret]: 'plain' }))
    expect(recorder.transcript().events[0]?.secrets).toHaveLength(1)
  })

  test('names no secret in the path of another', () => {
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

  test('who prints much leaves room for what else happens', () => {
    const recorder = recorderOf()
    const line = { type: 'output', source: 'shared stderr', text: 'x', bytes: 1 } as const
    for (let index = 0; index < recordingLimits.events; index += 1) recorder.record(line)
    recorder.record(step('later'))
    recorder.record({ ...line, text: `token ${secret}` })
    recorder.record({ type: 'end', outcome: 'completed' })
    expect(recorder.transcript().events.slice(recordingLimits.outputs)).toMatchObject([
      { action: 'later' },
      { type: 'output', secrets: [{ id: 'access_token-1' }] },
      {
        action: 'recording-limit',
        detail: { dropped: recordingLimits.events - recordingLimits.outputs },
      },
      { type: 'end' },
    ])
  })

  test('the end is not counted as dropped', () => {
    const recorder = recorderOf()
    for (let index = 0; index < recordingLimits.events + 5; index += 1) recorder.record(step('x'))
    recorder.record({ type: 'end', outcome: 'completed' })
    expect(recorder.transcript().steps('recording-limit')[0]?.detail).toEqual({ dropped: 5 })
  })
})

describe('beyond the limits', () => {
  const flood = (recorder: Recorder) => {
    for (let index = 0; index < recordingLimits.events; index += 1) recorder.record(step('x'))
  }

  test('a leak is kept all the same', () => {
    const recorder = recorderOf()
    flood(recorder)
    recorder.record(step('harmless'))
    recorder.record(step('leak', { text: secret }))
    recorder.record({ type: 'end', outcome: 'completed' })
    expect(recorder.transcript().events.slice(recordingLimits.events)).toMatchObject([
      { action: 'leak', secrets: [{ id: 'access_token-1' }] },
      { action: 'recording-limit', detail: { dropped: 1 } },
      { type: 'end' },
    ])
  })

  test('no more leaks are kept than needed', () => {
    const recorder = recorderOf()
    flood(recorder)
    const leaks = recordingLimits.leaks + 10
    for (let index = 0; index < leaks; index += 1) recorder.record(step('leak', { text: secret }))
    expect(recorder.transcript().steps('leak')).toHaveLength(recordingLimits.leaks)
  })
})

describe('a secret that becomes known later', () => {
  const verifier = 'verifier_9fKq2ZrT7LmXw4Bn8'
  const late = () => {
    const ledger = new SecretLedger()
    ledger.add('code_verifier', verifier)
    return ledger
  }

  test('is found and replaced by a second look, in the file too', () => {
    const directory = newDirectory()
    const ledger = new SecretLedger()
    const recorder = new Recorder({ scenario: 'late', ledger, now: () => 0, directory })
    const file = () => readFileSync(join(directory, 'late.jsonl'), 'utf8')
    recorder.record(step('harmless'))
    recorder.record(step('early', { url: `https://x/?v=${verifier}` }))
    expect(file()).toContain(verifier)
    recorder.rescan(late())
    expect(file()).not.toContain(verifier)
    const [harmless, early] = recorder.transcript().events
    expect(harmless).not.toHaveProperty('secrets')
    expect(early?.secrets).toMatchObject([{ kind: 'code_verifier', at: 'detail.url' }])
    recorder.record(step('after'))
    recorder.record({ type: 'end', outcome: 'completed' })
    expect(file().trim().split('\n')).toHaveLength(5)
  })

  test('is found after the end too', () => {
    const ledger = new SecretLedger()
    const recorder = new Recorder({ scenario: 'late', ledger, now: () => 0 })
    recorder.record(step('early', { text: verifier }))
    recorder.record({ type: 'end', outcome: 'completed' })
    recorder.rescan(late())
    expect(JSON.stringify(recorder.transcript().events)).not.toContain(verifier)
    expect(recorder.transcript().end).toMatchObject({ outcome: 'completed' })
  })

  test('changes nothing where there is none', () => {
    const recorder = recorderOf()
    recorder.record(step('x', { text: secret }))
    const before = recorder.transcript()
    recorder.rescan(late())
    recorder.rescan(new SecretLedger())
    expect(recorder.transcript()).toBe(before)
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

  test('begins anew where the machine was busy, but not for ever', async () => {
    const asked: number[] = []
    const recorder = recorderOf({
      busyFor(ms) {
        if (asked.push(ms) === 3) recorder.record(step('late'))
        return true
      },
    })
    expect(await recorder.waitFor(find('never'), 2)).toBeUndefined()
    expect(asked).toEqual([2, 2])
    expect(await recorder.waitFor(find('late'), 3)).toMatchObject({ action: 'late' })
    expect(asked).toEqual([2, 2, 3])
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

  test('asks only those whom an event may concern', async () => {
    const recorder = recorderOf()
    const answer = (call: string): NewEvent => ({
      type: 'request',
      channel: 'callback',
      call,
      exchange: recorder.newExchange(),
      method: 'POST',
      url: 'http://x/',
      headers: {},
    })
    const looks = new Map<string, number>()
    const calls = Array.from({ length: 20 }, (_, index) => `call-${index + 1}`)
    const waiting = calls.map((call) =>
      recorder.waitFor((t) => {
        looks.set(call, (looks.get(call) ?? 0) + 1)
        return t.requests('callback', call)[2] ?? t.steps('invoke', call)[0]?.detail['never']
      }, longer),
    )
    for (let event = 0; event < 1000; event += 1) recorder.record(step('noise'))
    for (const call of [...calls, ...calls]) recorder.record(answer(call))
    expect([...looks.values()]).toEqual(calls.map(() => 3))
    for (const call of calls) recorder.record(answer(call))
    expect(await Promise.all(waiting)).toMatchObject(calls.map((call) => ({ call })))
    for (const call of calls) recorder.record(answer(call))
    expect([...looks.values()]).toEqual(calls.map(() => 4))
  })

  test.each<[string, (recorder: Recorder) => (t: Transcript) => unknown]>([
    ['looks through all events', () => (t) => t.events.find((event) => event.seq === 3)],
    ['asks the recorder itself', (recorder) => () => recorder.transcript().steps('c')[0]],
    ['asks nothing at all', (recorder) => () => recorder.ended || undefined],
    ['asks for one thing after another', () => (t) => t.steps('b')[0] && t.steps('c')[0]],
    ['asks for an answer', () => (t) => t.requests('callback').map((each) => t.answer(each))[0]],
  ])('misses nothing where it %s', async (_, find) => {
    const recorder = recorderOf()
    const waiting = recorder.waitFor(find(recorder), longer)
    for (const action of ['a', 'b', 'c']) recorder.record(step(action))
    const place = { channel: 'callback', exchange: 'x1', headers: {} }
    recorder.record({ type: 'request', ...place, method: 'POST', url: 'http://x/' })
    recorder.record({ type: 'response', ...place, status: 200 })
    recorder.record({ type: 'end', outcome: 'completed' })
    expect(await waiting).toBeTruthy()
  })

  test('a look that breaks ends that waiting alone', async () => {
    const recorder = recorderOf()
    const breaks = recorder.waitFor((t) => {
      if (t.steps('a')[0]) throw new TypeError('oops')
      return undefined
    }, longer)
    const other = recorder.waitFor(find('a'), longer)
    recorder.record(step('a'))
    await expect(breaks).rejects.toThrow('oops')
    expect(await other).toMatchObject({ action: 'a' })
  })
})
