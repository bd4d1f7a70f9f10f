import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Recorder } from './recorder.ts'
import { createExclusively, readRegularFile, replaceExclusively } from './run-files.ts'
import { SecretLedger } from './secrets/ledger.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const inFolder = (...names: string[]) => join(folder, ...names)

/** What an implementation may put where a file of the run is about to be. */
const obstacles: Record<string, (file: string) => void> = {
  'a link to another file': (file) => symlinkSync(inFolder('precious'), file),
  'a link to nothing': (file) => symlinkSync(inFolder('nothing'), file),
  'a file': (file) => writeFileSync(file, 'theirs'),
  'a folder': (file) => mkdirSync(join(file, 'deep'), { recursive: true }),
  'a pipe': (file) => void execFileSync('mkfifo', [file]),
}

describe.each(Object.entries(obstacles))('%s in the way', (_, plant) => {
  beforeEach(() => {
    writeFileSync(inFolder('precious'), 'precious')
    mkdirSync(inFolder('transcripts'))
    plant(inFolder('transcripts', 'x.jsonl'))
  })

  afterEach(() => {
    expect(readFileSync(inFolder('precious'), 'utf8')).toBe('precious')
    expect(existsSync(inFolder('nothing'))).toBe(false)
  })

  test('is removed, not followed', () => {
    const file = inFolder('transcripts', 'x.jsonl')
    const descriptor = createExclusively(file)
    writeSync(descriptor, 'ours')
    closeSync(descriptor)
    expect(readRegularFile(file)).toBe('ours')
  })

  test('is replaced', () => {
    const file = inFolder('transcripts', 'x.jsonl')
    const descriptor = replaceExclusively(file, 'one ')
    writeSync(descriptor, 'two')
    closeSync(descriptor)
    expect(readRegularFile(file)).toBe('one two')
    expect(readdirSync(inFolder('transcripts'))).toEqual(['x.jsonl'])
  })

  test('does not take in what is recorded', () => {
    const ledger = new SecretLedger()
    const directory = inFolder('transcripts')
    const recorder = new Recorder({ scenario: 'x', ledger, now: () => 0, directory })
    rmSync(join(directory, 'x.jsonl'))
    plant(join(directory, 'x.jsonl'))
    recorder.record({ type: 'step', action: 'a', detail: { text: 'verifier_9fKq2ZrT7LmXw4Bn8' } })
    const late = new SecretLedger()
    late.add('code_verifier', 'verifier_9fKq2ZrT7LmXw4Bn8')
    recorder.rescan(late)
    recorder.record({ type: 'end', outcome: 'completed' })
    const lines = readRegularFile(join(directory, 'x.jsonl')).trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('[secret code_verifier-1]')
  })
})

test('a folder that is a link is not followed', () => {
  mkdirSync(inFolder('elsewhere'))
  symlinkSync(inFolder('elsewhere'), inFolder('transcripts'))
  closeSync(createExclusively(inFolder('transcripts', 'x.jsonl')))
  expect(lstatSync(inFolder('transcripts')).isDirectory()).toBe(true)
  expect(readdirSync(inFolder('elsewhere'))).toEqual([])
})

test.each(['a link to another file', 'a pipe', 'a folder'])('%s is not read', (which) => {
  writeFileSync(inFolder('precious'), 'precious')
  obstacles[which]!(inFolder('x'))
  expect(() => readRegularFile(inFolder('x'))).toThrow()
})
