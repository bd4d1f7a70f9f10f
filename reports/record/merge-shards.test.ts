import { describe, expect, test } from 'vitest'
import {
  cite,
  inconclusive,
  pass,
  runLog,
  Transcript,
  violation,
  type AnyProfile,
  type RecordedEvent,
} from '../../harness/engine/index.ts'
import { catalogueDigest } from './catalogue.ts'
import { joined, transcriptLines } from './join-recordings.ts'
import { mergeShards, type StoredShard } from './merge-shards.ts'
import type { RunRecord } from './run-record.ts'
import { catalogueBase, failed, recordOf, request } from '../testing.ts'

const row = { keyword: 'MUST', basis: 'specification', source: 's', text: 't' } as const
const asks = (id: string, judge: (t: Transcript) => ReturnType<typeof pass>) => ({
  requirement: 'p/tool/echo-id',
  title: id,
  judge,
})
const leaks = (t: Transcript) => {
  const leaking = t.events.filter(({ secrets }) => secrets)
  const ids = new Set(leaking.flatMap(({ secrets = [] }) => secrets.map(({ id }) => id)))
  if (t.requests('callback').length === 0) return inconclusive('nothing was scanned')
  if (leaking.length === 0) return pass('nothing')
  return violation('leak', { expected: '0', actual: String(ids.size) }, cite(...leaking))
}
const profile = {
  ...catalogueBase,
  title: 'p',
  gate: { scenario: 'one' },
  requirements: [{ ...row, id: 'p/tool/echo-id', observed: 'o' }],
  scenarios: [
    { id: 'one', title: 'one', checks: [asks('one', () => pass('fine'))] },
    { id: 'two', title: 'two', control: 'one', checks: [asks('two', () => pass('fine'))] },
    { id: 'all', title: 'all', after: 'all', checks: [asks('all', leaks)] },
  ],
} as unknown as AnyProfile

function recording(scenario: string, change: Partial<RecordedEvent> = {}): Transcript {
  const asked = { ...request, channel: 'callback', scenario, seq: 1, t: 10, ...change }
  const end = { type: 'end', scenario, seq: 2, t: 20, outcome: 'completed' }
  return new Transcript([asked, end] as RecordedEvent[])
}

function shard(index: number, own: string, change: Partial<RunRecord> = {}): StoredShard {
  const record = recordOf([{ ...failed, scenario: own, title: own, verdict: 'pass' }])
  const { catalogue } = record.suite
  const digest = catalogueDigest(profile)
  return {
    path: `shards/${index}`,
    judged: [own, 'all'],
    record: {
      ...record,
      suite: { ...record.suite, catalogue: { ...catalogue, digest } },
      partial: { filters: [], shard: { index, of: 2 } },
      scenarios: ['one', own, 'all'].map((id) => ({
        id,
        title: id,
        outcome: 'completed',
        durationMs: 10,
      })),
      ...change,
    },
    transcripts: new Map([
      ['one', recording('one')],
      [own, recording(own)],
      ['all', recording('all')],
      [runLog, recording(runLog)],
    ]),
  }
}

function merge(...shards: StoredShard[]) {
  const stored = new Map<string, string>()
  const merged = mergeShards(shards, {
    run: 'merged',
    profile,
    store(scenario, transcript) {
      stored.set(scenario, transcriptLines(transcript, scenario))
      return { file: `transcripts/${scenario}.jsonl`, digest: `sha256:${'1'.repeat(64)}` }
    },
  })
  return { ...merged, stored }
}

describe('refuses', () => {
  const one = shard(1, 'one')
  const two = shard(2, 'two')
  test.each<[string, StoredShard[], RegExp]>([
    [
      'an overlap',
      [one, two, { ...one, path: 'again' }],
      /overlap: shards\/1 and again are both shard 1 of 2/,
    ],
    ['a gap', [one], /gap: of 2 shards, 2 missing/],
    [
      'a run that is no shard',
      [{ ...one, record: { ...one.record, partial: false } }],
      /is not a shard/,
    ],
    [
      'shards of different numbers',
      [one, shard(3, 'two', { partial: { filters: [], shard: { index: 3, of: 3 } } })],
      /one of 3 shards, the others of 2/,
    ],
    [
      'another configuration',
      [one, shard(2, 'two', { configuration: { a: 1 } })],
      /configuration differs/,
    ],
    [
      'another version of the suite',
      [one, shard(2, 'two', { suite: { ...one.record.suite, version: '9' } })],
      /suite differs/,
    ],
    [
      'an interrupted shard',
      [one, shard(2, 'two', { interrupted: 'SIGINT' })],
      /interrupted by SIGINT/,
    ],
    [
      'another catalogue',
      [shard(1, 'one', { suite: recordOf([]).suite }), two],
      /judged by another catalogue of p\/tool/,
    ],
  ])('%s', (_, shards, message) => {
    expect(() => merge(...shards)).toThrow(message)
  })
})

test('joins in the order of the shards, whatever order they are given in', () => {
  const { record, transcripts } = merge(shard(2, 'two'), shard(1, 'one'))
  expect(record).toMatchObject({ run: 'merged', partial: false, verdict: 'conformant' })
  expect(record.scenarios.map(({ id }) => id)).toEqual(['one', 'two', 'all'])
  expect(record.findings.map(({ scenario }) => scenario)).toEqual(['one', 'two', 'all'])
  // The second shard begins when the first one has ended; its copy of the control is not the owner's.
  expect(transcripts.get('one')?.events.map(({ t }) => t)).toEqual([10, 20])
  expect(transcripts.get('two')?.events.map(({ t }) => t)).toEqual([31, 41])
})

test('what every shard recorded for itself becomes one recording with one end', () => {
  const { transcripts, stored } = merge(shard(1, 'one'), shard(2, 'two'))
  const log = transcripts.get(runLog)?.events ?? []
  expect(log.map(({ seq, t, type }) => [seq, t, type])).toEqual([
    [1, 10, 'request'],
    [2, 31, 'request'],
    [3, 41, 'end'],
  ])
  expect(log.map((event) => 'exchange' in event && event.exchange)).toEqual(['x1', 'x1.2', false])
  expect(stored.get(runLog)?.split('\n')[0]).toBe(`{"transcript":1,"scenario":"run"}`)
})

test('equal names of secrets in two shards stay two secrets', () => {
  const leak = (own: string, index: number): StoredShard => {
    const secrets = [{ id: 'access_token-1', kind: 'access_token', encoding: 'raw', at: 'url' }]
    const url = 'http://h/[secret access_token-1 base64]'
    const made = shard(index, own)
    return {
      ...made,
      transcripts: new Map([
        ...made.transcripts,
        [own, recording(own, { secrets, url } as Partial<RecordedEvent>)],
      ]),
    }
  }
  const { record, transcripts } = merge(leak('one', 1), leak('two', 2))
  expect(record.findings.at(-1)).toMatchObject({ verdict: 'fail', actual: '2' })
  expect(JSON.stringify(transcripts.get('two')?.events)).toContain(
    '[secret access_token-1000001 base64]',
  )
})

test('a violation that only a shard could see stays one', () => {
  const seen = { ...failed, scenario: 'all', title: 'all', message: 'leaked in its own copy' }
  const one = shard(1, 'one')
  const { record } = merge({ ...one, record: { ...one.record, findings: [seen] } }, shard(2, 'two'))
  expect(record).toMatchObject({ verdict: 'non-conformant', counts: { fail: 1, pass: 2 } })
  expect(record.findings.at(-1)).toMatchObject({ message: 'leaked in its own copy', evidence: [] })
})

test('over the whole run one shard may lack what another one has; in its own scenarios it may not', () => {
  const unproven = (scenario: string) => ({
    ...failed,
    scenario,
    title: scenario,
    verdict: 'inconclusive' as const,
  })
  const two = shard(2, 'two')
  const verdictOf = (findings: readonly (typeof failed)[]) =>
    merge(shard(1, 'one'), { ...two, record: { ...two.record, findings } }).record.verdict
  expect(verdictOf([unproven('all')])).toBe('conformant')
  expect(verdictOf([unproven('two')])).toBe('inconclusive')
})

test('of what no shard recorded, the shard says why', () => {
  const why = 'the command "node" exited with code 1'
  const unstarted = (index: number, scenario: string): StoredShard => {
    const made = shard(index, scenario)
    const finding = { ...failed, scenario, title: scenario, verdict: 'inconclusive', message: why }
    return {
      ...made,
      record: { ...made.record, findings: [finding] as RunRecord['findings'] },
      transcripts: new Map([[runLog, recording(runLog)]]),
    }
  }
  const { record } = merge(unstarted(1, 'one'), unstarted(2, 'two'))
  expect(record.findings.map(({ message }) => message)).toEqual([
    why,
    why,
    'the recording is incomplete',
  ])
})

test('a joined recording ended as the worst of its parts', () => {
  const ended = (outcome: string) =>
    new Transcript([{ type: 'end', scenario: 's', seq: 1, t: 1, outcome } as RecordedEvent])
  expect(joined([ended('unreached'), ended('completed')]).end).toMatchObject({
    outcome: 'unreached',
  })
})
