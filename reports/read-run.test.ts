import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sha256 } from './catalogue.ts'
import { readRun } from './read-run.ts'
import { resultsJson } from './results-json.ts'
import { RunRecordError, type RunRecord } from './run-record.ts'
import { recordOf, request } from './testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aoc-read-'))
  mkdirSync(join(folder, 'transcripts'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const header = '{"transcript":1,"scenario":"denied-consent"}'
const { scenario: _, ...stored } = request

/** Stores a run with one transcript of this content. */
function store(
  content: string,
  change: Record<string, unknown> = {},
  file = 'transcripts/d.jsonl',
) {
  if (!file.includes('..')) writeFileSync(join(folder, file), content)
  const record: RunRecord = recordOf([])
  const [scenario] = record.scenarios
  const transcript = { file, digest: sha256(content) }
  const written = { ...record, scenarios: [{ ...scenario, transcript }], ...change }
  writeFileSync(join(folder, 'results.json'), resultsJson(written as RunRecord))
}

function reason(path = folder): string {
  try {
    readRun(path)
  } catch (error) {
    expect(error).toBeInstanceOf(RunRecordError)
    return (error as Error).message
  }
  throw new Error('it was accepted')
}

test('reads the record and its recordings, by folder or by file', () => {
  store(`${header}\n${JSON.stringify(stored)}\n`)
  for (const path of [folder, join(folder, 'results.json')]) {
    const { record, transcripts } = readRun(path)
    expect(record.run).toBe('20260101T000000-abcdef')
    expect(transcripts.get('denied-consent')?.events).toEqual([request])
  }
})

test.each([
  [{ version: 2 }, 'run record of version 2; this suite reads version 1'],
  [{ format: 'else' }, 'not a run record: format is "else"'],
  [{ verdict: 'fine' }, 'damaged run record: verdict: '],
  [{ surprise: 1 }, 'damaged run record: '],
])('refuses a record with %j', (change, expected) => {
  store(`${header}\n`, change)
  expect(reason()).toContain(expected)
  expect(reason()).toContain(join(folder, 'results.json'))
})

test('refuses what is not there or no JSON', () => {
  expect(reason(join(folder, 'nowhere'))).toContain('ENOENT')
  expect(reason()).toContain('cannot read')
  writeFileSync(join(folder, 'results.json'), '{')
  expect(reason()).toContain('cannot read')
})

test.each([
  ['{"transcript":2}', 'transcript of version 2; this suite reads version 1'],
  ['rubbish', 'd.jsonl:1: not a JSON object: "rubbish"'],
  [`${header}\n{"type":"request"}`, 'd.jsonl:2: not an event: '],
  [`${header}\n[`, 'd.jsonl:2: not a JSON object'],
])('refuses a transcript of %j', (content, expected) => {
  store(content)
  expect(reason()).toContain(expected)
})

test('refuses a transcript that was changed after the run', () => {
  store(`${header}\n`)
  writeFileSync(join(folder, 'transcripts/d.jsonl'), `${header}\n${JSON.stringify(stored)}\n`)
  expect(reason()).toContain('changed since the run')
})

test.each(['../d.jsonl', 'transcripts/../../d.jsonl', '/etc/passwd', 'a//b', '..\\d'])(
  'refuses the path %s',
  (file) => {
    store('x', { scenarios: [] })
    const transcript = { file, digest: sha256('x') }
    const [scenario] = recordOf([]).scenarios
    const record = { ...recordOf([]), scenarios: [{ ...scenario, transcript }] }
    writeFileSync(join(folder, 'results.json'), resultsJson(record as RunRecord))
    expect(reason()).toContain('is not below the run')
  },
)

test('refuses a symbolic link', () => {
  const outside = mkdtempSync(join(tmpdir(), 'aoc-outside-'))
  writeFileSync(join(outside, 'secret.jsonl'), `${header}\n`)
  store(`${header}\n`)
  rmSync(join(folder, 'transcripts'), { recursive: true })
  symlinkSync(outside, join(folder, 'transcripts'))
  const [scenario] = recordOf([]).scenarios
  const transcript = { file: 'transcripts/secret.jsonl', digest: sha256(`${header}\n`) }
  const record = { ...recordOf([]), scenarios: [{ ...scenario, transcript }] }
  writeFileSync(join(folder, 'results.json'), resultsJson(record as RunRecord))
  expect(reason()).toContain('symbolic link')
  rmSync(outside, { recursive: true })
})
