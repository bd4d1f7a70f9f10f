/** An implementation that looks for the suite, or for the folder of the run. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { alteredRecordings } from '../../cli/outcome/store-run.ts'
import { Recorder, SecretLedger, stimuliOf } from '../../harness/engine/index.ts'
import { readStoredRun } from '../../reports/index.ts'
import { profiles } from '../../suites/registry.ts'
import { recordedRun } from '../recorded-runs.ts'
import { edit, figures, home } from './bundle.ts'

describe('an implementation that looks for the suite', () => {
  test.each(profiles.map(({ id, diagram }) => [id, diagram] as const))(
    'finds no name of it in what it is sent as %s',
    async (id, diagram) => {
      const channels = stimuliOf(diagram)
      const { folder } = await recordedRun(id)
      const { transcripts } = readStoredRun(folder)
      // What the suite asks, and what it answers.
      const sent = [...transcripts.values()].flatMap(({ events }) =>
        events.filter((event) =>
          event.type === 'request'
            ? channels.includes(event.channel)
            : event.type === 'response' && !channels.includes(event.channel),
        ),
      )
      expect(sent.length).toBeGreaterThan(50)
      expect(sent.filter((event) => /conformance|\baoc\b/i.test(JSON.stringify(event)))).toEqual([])
      figures.bounded += 1
    },
  )
})

describe('an implementation that knows the folder of the run', () => {
  const event = { type: 'step', action: 'ask', detail: {} } as const
  const recorder = (directory: string): Recorder =>
    new Recorder({ scenario: 'gate', ledger: new SecretLedger(), now: () => 0, directory })

  test('has no file overwritten by a link, and no pipe waited for', () => {
    for (const plant of [
      (path: string) => symlinkSync('victim', path),
      (path: string) => void execFileSync('mkfifo', [path]),
    ]) {
      const folder = home()
      mkdirSync(join(folder, 'transcripts'))
      writeFileSync(join(folder, 'transcripts', 'victim'), 'mine')
      plant(join(folder, 'transcripts', 'gate.jsonl'))
      recorder(join(folder, 'transcripts')).record(event)
      expect(readFileSync(join(folder, 'transcripts', 'victim'), 'utf8')).toBe('mine')
      figures.bounded += 1
    }
  })

  test.each<[string, (folder: string) => void]>([
    ['removes a recording', (at) => rmSync(join(at, 'transcripts', 'gate.jsonl'))],
    ['removes the folder', (at) => rmSync(at, { recursive: true })],
    ['changes a recording', (at) => edit(join(at, 'transcripts', 'gate.jsonl'), (t) => `${t} `)],
  ])('%s: detected', (_, act) => {
    const folder = home()
    const own = recorder(join(folder, 'transcripts'))
    own.record(event)
    own.record({ type: 'end', outcome: 'completed' })
    act(folder)
    expect(alteredRecordings(folder, new Map([['gate', own.transcript()]]))).toHaveLength(1)
    figures.detected += 1
  })
})
