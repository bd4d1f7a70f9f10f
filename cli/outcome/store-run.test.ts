import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRun, type Run } from '../../harness/engine/run.ts'
import { alteredRecordings, storedTranscripts } from './store-run.ts'

let folder: string
let run: Run
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aoc-store-'))
  run = createRun({ timing: {} as Run['timing'], directory: folder })
  run.log.record({ type: 'step', action: 'a', detail: { text: 'é', none: undefined } })
  run.log.record({ type: 'end', outcome: 'completed' })
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = () => join(folder, 'transcripts', 'run.jsonl')
const altered = () => alteredRecordings(folder, new Map([['run', run.log.transcript()]]))

test('what was recorded is stored as it was', () => {
  expect(altered()).toEqual([])
  expect([...storedTranscripts(folder, ['run']).keys()]).toEqual(['run'])
})

test.each([
  [
    'was deleted or replaced',
    'a folder that was removed',
    () => rmSync(join(folder, 'transcripts'), { recursive: true }),
  ],
  ['was deleted or replaced', 'a file that was removed', () => rmSync(file())],
  ['was deleted or replaced', 'a link', () => [rmSync(file()), symlinkSync('/dev/zero', file())]],
  ['was deleted or replaced', 'a folder', () => [rmSync(file()), mkdirSync(file())]],
  [
    'was changed',
    'another content',
    () => writeFileSync(file(), '{"transcript":1,"scenario":"run"}\n'),
  ],
])('a recording that %s is a failure of the run: %s', (what, _, change) => {
  change()
  expect(altered()).toMatchObject([{ scenario: 'run', message: expect.stringContaining(what) }])
})
