/** Offline judging and repetition through the built command line. */

import { cpSync, readFileSync, symlinkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../reports/index.ts'
import { recordedRun } from './recorded-runs.ts'
import { runCli, scratch } from './run-cli.ts'

const recorded = await recordedRun('rap-oauth/tool')
const kept = dirname(recorded.folder)
const results = readFileSync(join(recorded.folder, 'results.json'), 'utf8')

/** A copy of the run in which a file was edited. */
function edited(file: string, edit: (content: string) => string): string {
  const folder = scratch()
  cpSync(join(kept, 'out'), join(folder, 'out'), { recursive: true })
  const path = join(folder, 'out', file)
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
  return folder
}

test('a stored run gives byte-identical findings', async () => {
  const { code, stdout, stderr } = await runCli(['judge', 'out', '--json'], kept)
  expect(stderr).toBe('')
  expect(stdout).toBe(results)
  expect(code).toBe(recorded.code)
})

test('one transcript gives the findings of its scenario, marked as a part', async () => {
  const path = 'out/transcripts/denied-consent.jsonl'
  const { code, stdout } = await runCli(['judge', path, '--json'], kept)
  expect(code).toBe(0)
  const all = JSON.parse(results) as { findings: { scenario: string }[] }
  const part = JSON.parse(stdout) as { findings: unknown[]; partial: unknown }
  expect(part.findings).toEqual(all.findings.filter((each) => each.scenario === 'denied-consent'))
  expect(part.partial).toEqual({ filters: ['denied-consent'] })
})

describe('refuses', () => {
  const transcript = 'transcripts/denied-consent.jsonl'
  const cutHalf = (content: string): string => content.slice(0, content.length / 2)
  test.each<[string, string, (content: string) => string, string]>([
    ['a changed transcript', transcript, (text) => text.replace('"t":', '"t":1'), 'its digest'],
    ['a truncated transcript', transcript, cutHalf, 'its digest differs'],
    ['a cut run record', 'results.json', cutHalf, 'cannot read'],
    [
      'another catalogue',
      'results.json',
      (text) => text.replace(/("catalogue": \{\s*"digest": "sha256:).{64}/, `$1${'0'.repeat(64)}`),
      'another catalogue',
    ],
    [
      'a transcript elsewhere',
      'results.json',
      (text) => text.replace(transcript, `../${transcript}`),
      'the run record names',
    ],
  ])('%s', async (_, file, edit, why) => {
    const folder = edited(file, edit)
    const { code, stdout, stderr } = await runCli(['judge', 'out'], folder)
    expect(stderr).toContain(why)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test('a transcript that is cut even where the record names its digest', async () => {
    const folder = edited(transcript, (text) => `${text.split('\n').slice(0, 5).join('\n')}\n`)
    const record = join(folder, 'out', 'results.json')
    const was = sha256(readFileSync(join(kept, 'out', transcript)))
    const is = sha256(readFileSync(join(folder, 'out', transcript)))
    writeFileSync(record, readFileSync(record, 'utf8').replace(was, is))
    const { code, stderr } = await runCli(['judge', 'out'], folder)
    expect(stderr).toContain('it is cut: the last event is not the end')
    expect(code).toBe(2)
  })

  test('a link in the place of a transcript', async () => {
    const folder = edited(transcript, (text) => text)
    rmSync(join(folder, 'out', transcript))
    symlinkSync(join(kept, 'out', transcript), join(folder, 'out', transcript))
    const { code, stderr } = await runCli(['judge', 'out'], folder)
    expect(stderr).toContain('not a plain file')
    expect(code).toBe(2)
  })

  test.each([['nowhere'], ['out/results.json']])('%s as a run', async (path) => {
    const { code, stderr } = await runCli(['judge', path], kept)
    expect(stderr).toContain(path)
    expect(code).toBe(2)
  })
})

test('a finding that was edited is named, and the transcripts decide', async () => {
  const folder = edited('results.json', (text) =>
    text.replace(/("title": "[^"]*",\s*"verdict": )"pass"/, '$1"fail"'),
  )
  const { code, stdout, stderr } = await runCli(['judge', 'out', '--json'], folder)
  expect(stderr).toContain('stored fail, judged pass')
  expect(stdout).toBe(results)
  expect(code).toBe(0)
})

test('--repeat runs so often, compares, and keeps every run', async () => {
  const args = ['run', '--filter', 'denied-consent', '--repeat', '2', '--output', 'out', '--json']
  const folder = scratch()
  const { code, stdout } = await runCli(args, folder)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    repetitions: [{ folder: 'repetition-1' }, { folder: 'repetition-2' }],
    flaky: [],
    exit: { code: 0 },
  })
  expect(readFileSync(join(folder, 'out', 'repetitions.json'), 'utf8')).toBe(stdout)
  const second = readFileSync(join(folder, 'out', 'repetition-2', 'results.json'), 'utf8')
  expect(JSON.parse(second)).toMatchObject({ repetition: { number: 2, of: 2 } })
})

test('--repeat refuses what is no number of repetitions', async () => {
  const { code, stderr } = await runCli(['run', '--repeat', '1'], scratch())
  expect(stderr).toContain('from 2 to 9999')
  expect(code).toBe(2)
})
