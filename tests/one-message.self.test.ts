/**
 * A protocol is one folder and one line: a copy of this repository gets a protocol of one message, and everything
 * knows it. What else would have to change is a leak of protocols into rooms that serve all.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseRunRecord } from '../reports/index.ts'
import { houseWith } from './house-with.ts'

let house = ''
beforeAll(() => {
  house = houseWith({ from: 'tests/fixtures/one-message', profile: 'knock/door', name: 'door' })
})
afterAll(() => rmSync(house, { recursive: true }))

/** The command line of the copy. */
function aoc(...args: readonly string[]): string {
  return execFileSync(process.execPath, ['dist/cli/main.js', ...args], {
    cwd: house,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
}

/** Runs tests of the copy, as their author would, and gives what was printed if they pass. */
function vitest(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { PATH, HOME } = process.env
  const { status, stdout, stderr } = spawnSync('npx', ['vitest', 'run', ...args], {
    cwd: house,
    encoding: 'utf8',
    // Not those of the vitest that runs this.
    env: { PATH, HOME, NO_COLOR: '1', ...env },
  })
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  return stdout
}

test('it is listed', () => {
  expect(aoc('list', 'profiles')).toMatch(/^knock\/door +Knock, the door +2 scenarios, 2 req/m)
  expect(aoc('list', 'requirements', '--profile', 'knock/door')).toContain('knock/door/let-in')
  expect(aoc('explain', 'let-in')).toContain('expected-visitor: greets by name')
})

test('it has a configuration to start from, and options of its own', () => {
  aoc('init', '--profile', 'knock/door', 'door.config.ts')
  const text = readFileSync(join(house, 'door.config.ts'), 'utf8')
  expect(text).toContain("profile: 'knock/door'")
  expect(text).toContain('//   {door.url}: http://127.0.0.1:{port}\n')
  expect(text).toContain("    // Whom it lets in.\n    // visitor: 'Ada',\n")
  expect(text).not.toMatch(/provider|manifest/i)
  expect(aoc('run', '--help')).toMatch(/--visitor <name> +whom it lets in/)
})

test('its reference implementation is certified over sockets, and reports draw its own lanes', () => {
  const printed = aoc('run', '--profile', 'knock/door', '--visitor', 'Bob', '--output', 'out')
  expect(printed).toMatch(/^profile +knock\/door, 2 scenarios$/m)
  expect(printed).toMatch(/^CONFORMANT +reference door/m)
  const record = parseRunRecord(
    JSON.parse(readFileSync(join(house, 'out/results.json'), 'utf8')) as unknown,
  )
  expect(record.counts).toMatchObject({ pass: 2, fail: 0, warn: 0, inconclusive: 0 })
  expect(record.specification.title).toBe('The Knock Protocol')
  const page = readFileSync(join(house, 'out/report.html'), 'utf8')
  const lanes = [...page.matchAll(/<text class="name"[^>]*>([^<]+)</g)].map(([, lane]) => lane)
  expect([...new Set(lanes)]).toEqual(['visitor', 'door'])
  expect(readFileSync(join(house, 'out/transcripts/expected-visitor.jsonl'), 'utf8')).toContain(
    'Come in, Bob!',
  )
})

test('the tests of every profile and the pages that are written from the code include it', () => {
  const tests = ['architecture.test.ts', 'profiles.test.ts', 'proof', 'requirements-page.test.ts']
  const files = ['suites/knock', ...tests.map((name) => `tests/${name}`)]
  // What is wrong elsewhere is not what is looked for here.
  const own = ['-t', 'knock/door|visitor|up to date|this repository']
  vitest(['-u', ...own, ...files], { UPDATE: '1' })
  const page = (name: string): string => readFileSync(join(house, 'docs', name), 'utf8')
  expect(page('requirements.md')).toMatch(/^### `knock\/door\/let-in`\n[^#]*`greets-nobody`$/m)
  expect(page('kill-matrix.md')).toMatch(/^## `knock\/door`\n\n2 defects for 2 requirements/m)
})

test('its defects turn what is recorded, and its oddity turns nothing', () => {
  const proof = ['--config', 'vitest.defects.config.ts', '-t', 'knock/door']
  const printed = vitest(proof)
  for (const id of ['greets-nobody', 'lets-everybody-in', 'greets-in-french']) {
    expect(printed).toContain(id)
  }
})
