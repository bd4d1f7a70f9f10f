/** `aoc report`, through the built package, on a run that was stored by it. */

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatIds, formatNames } from '../reports/index.ts'
import { runCli, scratch } from './run-cli.ts'

let folder: string
beforeAll(async () => {
  folder = scratch()
  const args = ['run', '--filter', 'denied-consent', '--output', 'out', '--quiet']
  const { code, stdout } = await runCli(args, folder)
  expect(stdout).toContain('CONFORMANT (partial)')
  expect(code).toBe(0)
}, 60_000)

/** A copy of the run, to be spoiled. */
function copy(): string {
  const spoiled = scratch()
  cpSync(join(folder, 'out'), join(spoiled, 'out'), { recursive: true })
  return spoiled
}

test('run leaves report.html, summary.md and junit.xml', () => {
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    'junit.xml',
    'report.html',
    'results.json',
    'summary.md',
    'transcripts',
  ])
})

test('the stored run gives the same reports as the run itself', async () => {
  const spare = scratch()
  const { code } = await runCli(
    ['report', join(folder, 'out'), '--format', 'all', '--output', 'x/'],
    spare,
  )
  expect(code).toBe(0)
  expect(readdirSync(join(spare, 'x')).sort()).toEqual(
    formatIds.map((id) => formatNames[id].file).sort(),
  )
  for (const name of ['report.html', 'summary.md', 'junit.xml']) {
    const made = readFileSync(join(spare, 'x', name), 'utf8')
    expect(made).toBe(readFileSync(join(folder, 'out', name), 'utf8'))
  }
})

describe('where it writes', () => {
  test('beside results.json unless told otherwise', async () => {
    const own = copy()
    const { stdout } = await runCli(['report', 'out/results.json', '--format', 'badge'], own)
    expect(stdout).toBe(`wrote ${join('out', 'badge.svg')}\n`)
    expect(existsSync(join(own, 'out/badge.svg'))).toBe(true)
  })

  test('to a file of that name, to standard output', async () => {
    const own = copy()
    await runCli(['report', 'out', '--format', 'tap', '--output', 'a/b.tap'], own)
    const { stdout } = await runCli(['report', 'out', '--format', 'tap', '--output', '-'], own)
    expect(readFileSync(join(own, 'a/b.tap'), 'utf8')).toBe(stdout)
    expect(stdout).toMatch(/^TAP version 14\n/)
  })
})

describe('is refused', () => {
  test.each([
    [['report', 'nowhere'], /cannot read nowhere.results\.json: there is no such file/],
    [['report', 'out', '--format', 'pdf'], /Expected one of html, markdown/],
    [
      ['report', 'out', '--format', 'tap', '--format', 'html', '--output', '-'],
      /standard output takes one --format/,
    ],
    [['report'], /missing required argument <run>: folder of the run/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args, folder)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('a newer record: which file, what was found, what was expected', async () => {
    const own = copy()
    const file = join(own, 'out/results.json')
    const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...record, version: 99 }))
    const { code, stderr } = await runCli(['report', 'out'], own)
    expect(stderr).toContain(
      `error: ${join('out', 'results.json')}: run record of version 99; this suite reads version 2, so read it with a newer suite`,
    )
    expect(code).toBe(2)
  })

  test('a transcript that was edited', async () => {
    const own = copy()
    const file = join(own, 'out/transcripts/denied-consent.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"status":200', '"status":202'))
    const { code, stderr } = await runCli(['report', 'out'], own)
    expect(stderr).toContain('denied-consent.jsonl: it is not what the run recorded')
    expect(code).toBe(2)
  })
})

test('--help names every format and its file', async () => {
  const { stdout } = await runCli(['report', '--help'], folder)
  for (const id of formatIds) expect(stdout).toContain(`  ${id.padEnd(10)}${formatNames[id].file}`)
})
