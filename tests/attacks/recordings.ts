/** A vendor who edits a recording, and signs that. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { readResults, type RunRecord } from '../../reports/index.ts'
import {
  copy,
  edit,
  editRecord,
  honest,
  refuses,
  row,
  sign,
  transcript,
  verify,
  type Loose,
} from './bundle.ts'

/** The recording with its lines changed, numbered anew. */
function editLines(bundle: string, change: (events: Loose[]) => Loose[], file = transcript): void {
  edit(join(bundle, file), (text) => {
    const [header = '', ...lines] = text.trimEnd().split('\n')
    const events = change(lines.map((line) => JSON.parse(line) as Loose))
    const numbered = events.map((event, index) => JSON.stringify({ ...event, seq: index + 1 }))
    return `${[header, ...numbered].join('\n')}\n`
  })
}

/** As long as may be watched while something is pending that ends by itself. */
const { observeMs } = readResults(join(honest, 'results.json')).settings
const { pendingTimeoutMs } = readResults(join(honest, 'results.json')).declared
const shortest = Math.min(observeMs, Number(pendingTimeoutMs) / 3)

const isWindow = (event: Loose): boolean => event['action'] === 'window'

describe('a vendor who edits a recording and signs it', () => {
  const ends = (outcome: string) => (events: Loose[]) => [
    { ...events[0], t: 0 },
    { seq: 2, t: 0, type: 'end', outcome, reason: 'it does not apply' },
  ]
  const windowed = ({ scenarios }: RunRecord, bundle: string): string =>
    scenarios
      .flatMap(({ transcript: stored }) => (stored ? [stored.file] : []))
      .find((file) => readFileSync(join(bundle, file), 'utf8').includes('"window"'))!

  test.each(['not-applicable', 'not-offered', 'aborted'])(
    'says in two lines that it ended as %s: refused',
    async (outcome) => {
      const bundle = await copy()
      editLines(bundle, ends(outcome))
      editRecord(bundle, (record) => {
        const verdict = outcome === 'aborted' ? 'pass' : outcome
        const changed = row((each) => ({
          ...each,
          outcome: outcome as 'aborted',
          reason: 'it does not apply',
          durationMs: 0,
        }))(record)
        const findings = record.findings.map((each) =>
          each.scenario === 'denied-consent' ? { ...each, verdict } : each,
        )
        return { ...changed, findings } as RunRecord
      })
      await refuses(async () => {
        await sign(bundle)
        await verify(bundle)
      }, /judged again, the transcripts give another result|exit is another/)
    },
  )

  test.each<[string, (events: Loose[]) => Loose[], RegExp]>([
    [
      'a window that is too short',
      (events) => events.map((each) => (isWindow(each) ? { ...each, detail: { ms: 10 } } : each)),
      /a window of 10 ms/,
    ],
    [
      'a window that is short as if something were pending',
      (events) =>
        events.map((each) => (isWindow(each) ? { ...each, detail: { ms: shortest } } : each)),
      /a window of \d+(\.\d+)? ms, where 3000/,
    ],
    [
      'a window that is longer than the recording',
      (events) => events.map((each) => (isWindow(each) ? { ...each, detail: { ms: 1e7 } } : each)),
      /longer than what was recorded/,
    ],
    [
      'time that runs backwards',
      (events) => events.map((each, index) => (index === 1 ? { ...each, t: 1e9 } : each)),
      /earlier than the one before/,
    ],
  ])('%s: refused', async (_, change, why) => {
    const bundle = await copy()
    editLines(bundle, change, windowed(readResults(join(bundle, 'results.json')), bundle))
    editRecord(bundle, (record) => record)
    await refuses(async () => {
      await sign(bundle)
      await verify(bundle)
    }, why)
  })

  test('a recording that two readers read differently: refused', async () => {
    const bundle = await copy()
    edit(join(bundle, transcript), (text) => text.replace('"seq":2,', '"seq":7,"seq":2,'))
    editRecord(bundle, (record) => record)
    await sign(bundle)
    await refuses(() => verify(bundle), /denied-consent.jsonl is not as the suite writes it/)
  })
})
