import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimOutputFolder } from './output-folder.ts'
import { UsageError } from '../input/usage-error.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aoc-output-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const lockFile = () => join(folder, '.aoc-run.lock')
const lockOf = (pid: number, host = hostname()) =>
  writeFileSync(lockFile(), JSON.stringify({ pid, host, id: 'x' }))
/** No process has this number: Linux stops at 2^22. */
const nobody = 2 ** 22 + 1

test('locks while it is held and leaves nothing behind', () => {
  const claimed = claimOutputFolder(join(folder, 'a', 'b'))
  expect(readdirSync(claimed.path)).toEqual(['.aoc-run.lock'])
  claimed.release()
  claimed.release()
  expect(readdirSync(claimed.path)).toEqual([])
})

test('refuses a folder that a living process holds', () => {
  lockOf(process.ppid)
  expect(() => claimOutputFolder(folder)).toThrow(UsageError)
  expect(() => claimOutputFolder(folder)).toThrow(`another run (process ${process.ppid})`)
  expect(existsSync(lockFile())).toBe(true)
})

test('refuses a lock from another machine, of which nothing can be known', () => {
  lockOf(nobody, 'elsewhere')
  expect(() => claimOutputFolder(folder)).toThrow('on elsewhere')
})

test.each([
  ['a dead process', () => lockOf(nobody)],
  ['an earlier process with our number', () => lockOf(process.pid)],
  ['a crash that cut it short', () => writeFileSync(lockFile(), '{"pi')],
])('takes a lock over from %s', (_, leave) => {
  leave()
  const claimed = claimOutputFolder(folder)
  expect(readdirSync(folder)).toEqual(['.aoc-run.lock'])
  claimed.release()
})

test('removes what an earlier run left, and nothing else', () => {
  mkdirSync(join(folder, 'transcripts'))
  mkdirSync(join(folder, '.work-AbC123'))
  mkdirSync(join(folder, 'work'))
  for (const name of ['results.json', 'junit.xml', 'notes.txt'])
    writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'transcripts', 'old.jsonl'), '{"transcript":1,"scenario":"old"}\n')
  writeFileSync(join(folder, 'transcripts', 'theirs.jsonl'), '{"mine":1}\n')
  claimOutputFolder(folder).release()
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'transcripts', 'work'])
  expect(readdirSync(join(folder, 'transcripts'))).toEqual(['theirs.jsonl'])
})

test('a pipe is waited for nowhere', () => {
  mkdirSync(join(folder, 'transcripts'))
  const pipe = join(folder, 'transcripts', 'pipe.jsonl')
  execFileSync('mkfifo', [pipe])
  const claimed = claimOutputFolder(folder)
  rmSync(lockFile())
  execFileSync('mkfifo', [lockFile()])
  claimed.release()
  expect(existsSync(pipe)).toBe(true)
})

test('a folder of transcripts that is a link is not written to', () => {
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(folder, 'elsewhere', 'old.jsonl'), '{"transcript":1,"scenario":"old"}\n')
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'transcripts'))
  expect(() => claimOutputFolder(folder)).toThrow('is a link')
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['old.jsonl'])
})

test('a file in the way is a usage error', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => claimOutputFolder(join(folder, 'file'))).toThrow(/cannot write to the output folder/)
})

test('what was made for a run that was never tried is removed', () => {
  const claimed = claimOutputFolder(join(folder, 'a', 'b'))
  mkdirSync(join(claimed.path, 'transcripts'))
  claimed.discard()
  expect(readdirSync(folder)).toEqual([])
})

test('what was there before stays, with what somebody else has put beside', () => {
  claimOutputFolder(folder).discard()
  expect(existsSync(folder)).toBe(true)
  const claimed = claimOutputFolder(join(folder, 'a', 'b'))
  writeFileSync(join(folder, 'a', 'other'), '')
  claimed.discard()
  expect(readdirSync(join(folder, 'a'))).toEqual(['other'])
})
