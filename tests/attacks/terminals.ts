/** A run of somebody else whose texts speak to the terminal of its reader. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { compare } from '../../cli/commands/compare.ts'
import { judge } from '../../cli/commands/judge.ts'
import { runCli } from '../run-cli.ts'
import { copy, figures, honest } from './bundle.ts'

const hostile = '\u001b[31mred\u009b1mbold\u202eback\u0007\u2028'
// oxlint-disable-next-line no-control-regex -- what a terminal obeys is what is looked for
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Zl}]/u

/** A run whose record says so. */
async function saying(change: (record: Record<string, object>) => object): Promise<string> {
  const bundle = await copy()
  const file = join(bundle, 'results.json')
  const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>
  writeFileSync(file, JSON.stringify({ ...record, ...change(record) }))
  return bundle
}

afterEach(() => vi.restoreAllMocks())

describe('what a reader of it sees', () => {
  const naming = saying.bind(undefined, () => ({
    implementation: { name: hostile, version: hostile },
    failures: [{ scenario: hostile, message: hostile }],
  }))
  test.each<[string, () => Promise<string>, (bundle: string) => unknown]>([
    ['by its names, judged again', naming, (at) => judge([at], {})],
    ['by its names, as JSON', naming, (at) => judge([at], { json: true })],
    [
      'by its profile, compared',
      () => saying(() => ({ profile: hostile })),
      (at) => compare([at, honest], { output: join(at, '..', 'grid') }),
    ],
  ])('is not moved %s', async (_, plant, read) => {
    const bundle = await plant()
    const seen: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => seen.push(String(text)) > 0)
    await read(bundle)
    expect(seen.join('')).toContain('red')
    expect(seen.join('')).not.toMatch(obeyed)
    figures.bounded += 1
  })

  test('is not moved by what is wrong with it', async () => {
    const bundle = await saying(({ scenarios }) => ({
      scenarios: (scenarios as object[]).map((each) => ({ ...each, id: hostile })),
    }))
    const { code, stderr } = await runCli(['judge', bundle], bundle)
    expect(stderr).toContain('red')
    expect(stderr).not.toMatch(obeyed)
    expect(code).toBe(2)
    figures.bounded += 1
  })
})
