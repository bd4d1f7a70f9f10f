import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readResults, resultsJson, writeAtomically } from './results-json.ts'
import { failed, recordOf } from '../testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aoc-results-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('what is written is read again, and nothing else is left', () => {
  const file = join(folder, 'results.json')
  const record = recordOf([{ ...failed, message: 'm', actual: 'a' }])
  writeAtomically(file, 'old')
  writeAtomically(file, resultsJson(record))
  expect(readResults(file).findings).toEqual(record.findings)
  expect(readdirSync(folder)).toEqual(['results.json'])
})

test.each([
  ['is missing', undefined],
  ['is cut short', '{"format":'],
  ['is something else', '[]'],
])('says so when the file %s', (_, content) => {
  const file = join(folder, 'results.json')
  if (content !== undefined) writeFileSync(file, content)
  expect(() => readResults(file)).toThrow(/cannot read|not a run record/)
})
