/** What a pipeline relies on: baselines, shards and merging, through the built package. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Baseline, RunRecord } from '../reports/index.ts'
import { recordedRun } from './recorded-runs.ts'
import { runCli, scratch } from './run-cli.ts'
import { expressStyle } from './third-party.ts'

function recordIn(folder: string): RunRecord {
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as RunRecord
}

describe('--baseline', () => {
  let folder: string
  const config = [
    '--config',
    'c.json',
    '--filter',
    'authorize-and-complete',
    '--output',
    'out',
    '--quiet',
  ]
  const gated = ['run', ...config, '--baseline', 'known.json']
  const baseline = (): Baseline =>
    JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8')) as Baseline
  const write = (change: (entries: Baseline['entries']) => readonly object[]): void => {
    const { entries, ...rest } = baseline()
    writeFileSync(join(folder, 'known.json'), JSON.stringify({ ...rest, entries: change(entries) }))
  }

  beforeAll(async () => {
    folder = scratch()
    writeFileSync(join(folder, 'c.json'), JSON.stringify(expressStyle))
    const { code, stderr } = await runCli([...gated, '--update-baseline'], folder)
    expect(stderr).toMatch(
      /wrote known\.json: \d+ known findings, \d+ of them still without a reason/,
    )
    expect(code).toBe(4)
  }, 60_000)

  test('fails without one', async () => {
    const { code } = await runCli(['run', ...config], folder)
    expect(code).toBe(1)
    expect(recordIn(join(folder, 'out')).baseline).toBe(false)
  })

  test('a file that there is not yet knows of nothing, and that is said', async () => {
    const { code, stderr } = await runCli(['run', ...config, '--baseline', 'nowhere.json'], folder)
    expect(stderr).toContain('nowhere.json does not exist yet: it is taken as an empty baseline')
    expect(code).toBe(1)
  })

  test('passes what is known, and says so everywhere: the verdict does not change', async () => {
    write((entries) => entries.map((each) => ({ ...each, reason: 'ticket 7' })))
    const { code, stdout } = await runCli(gated, folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^NON-CONFORMANT \(partial, \d+ known\)/)
    expect(stdout).toContain('exit     0: every finding is in the baseline')
    const record = recordIn(join(folder, 'out'))
    expect(record).toMatchObject({ verdict: 'non-conformant', baseline: { problems: [] } })
    const page = readFileSync(join(folder, 'out/report.html'), 'utf8')
    expect(page).toContain('Known, accepted by the baseline: ticket 7')
    expect(readFileSync(join(folder, 'out/summary.md'), 'utf8')).toContain('### Known')
    expect(readFileSync(join(folder, 'out/junit.xml'), 'utf8')).not.toContain('<failure')
  })

  test('an entry that is out of date is exit code 4, named with the reason', async () => {
    const good = baseline()
    const elsewhere = 'oauth-client/report-denial'
    const gone = 'rap-oauth/tool/acknowledge-with-200'
    write((entries) => [
      ...entries.map((each) => ({ ...each, expires: '2020-01-01' })),
      { requirement: 'rap-oauth/tool/nothing', scenario: 'x', verdict: 'fail', reason: 'r' },
      { requirement: gone, scenario: 'authorize-and-complete', verdict: 'fail', reason: 'r' },
      { requirement: elsewhere, scenario: 'denied-consent', verdict: 'fail', reason: 'r' },
    ])
    const { code, stdout } = await runCli(gated, folder)
    writeFileSync(join(folder, 'known.json'), JSON.stringify(good))
    expect(code).toBe(4)
    expect(stdout).toContain('expired on 2020-01-01')
    expect(stdout).toContain('rap-oauth/tool/nothing in x: there is no such requirement')
    expect(stdout).toContain(`${gone} in authorize-and-complete: no longer occurs`)
    const junit = readFileSync(join(folder, 'out/junit.xml'), 'utf8')
    expect(junit).toContain(`<failure message="${gone} in authorize-and-complete: no longer occurs`)
    // The filter left that one out: nothing is known about it.
    expect(stdout).not.toContain(elsewhere)
  })

  test.each([
    [['run', '--baseline', '.'], /cannot read the baseline \.: EISDIR/],
    [['run', '--baseline', 'c.json'], /c\.json is not a baseline: format: /],
    [['run', '--update-baseline'], /--update-baseline: say which file/],
    [['run', '--shard', '0/2'], /Expected I\/N with I from 1 to N/],
    [['run', '--shard', '1/9999'], /has \d+ scenarios/],
    [['run', '--shard', '1/2', '--filter', 'denied'], /--shard and --filter/],
  ])('%j is a usage error', async (args, message) => {
    const { code, stderr } = await runCli(args, folder)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })
})

describe('--shard and merge', () => {
  /** What does not depend on when, where, in which order and how fast things happened. */
  function timeless(record: RunRecord): unknown {
    const varying = 'run started finished durationMs facts log exit verdict counts'.split(' ')
    const rest = Object.entries(record).filter(([key]) => !varying.includes(key))
    return {
      ...Object.fromEntries(rest),
      scenarios: record.scenarios.map(({ id, title, control, transcript }) => {
        return { id, title, control, file: transcript?.file }
      }),
      requirements: record.requirements.map((each) => ({ ...each, verdict: undefined })),
      findings: record.findings.map(({ requirement, scenario, title, keyword, basis, source }) => {
        return { requirement, scenario, title, keyword, basis, source }
      }),
    }
  }

  const verdictsOf = ({ findings }: RunRecord): string[] =>
    findings.map(({ requirement, scenario, title, verdict }) =>
      [requirement, scenario, title, verdict].join(' '),
    )

  test('the merged record is that of an unsharded run, but for times and order', async () => {
    const folder = scratch()
    const at = (name: string) => ['--output', name, '--quiet']
    for (const index of [1, 2, 3]) {
      await runCli(['run', '--observe', '3s', '--shard', `${index}/3`, ...at(`s${index}`)], folder)
    }
    const { folder: recorded } = await recordedRun('rap-oauth/tool')
    cpSync(recorded, join(folder, 'whole'), { recursive: true })
    const { code } = await runCli(['merge', 's3', 's1', 's2', ...at('merged')], folder)
    const [merged, whole] = [recordIn(join(folder, 'merged')), recordIn(join(folder, 'whole'))]
    expect(timeless(merged)).toEqual(timeless(whole))
    expect(code).toBe(merged.exit.code)

    // A busy machine may leave something unproven in one run and not in the other; but a shard's verdict stays.
    const single = (each: string): boolean => !each.includes(' whole-run ')
    const shards = [1, 2, 3].flatMap((index) => verdictsOf(recordIn(join(folder, `s${index}`))))
    expect(verdictsOf(merged).filter(single).sort()).toEqual(shards.filter(single).sort())
    const proven = ({ findings }: RunRecord) => findings.every((f) => f.verdict !== 'inconclusive')
    if (proven(merged) && proven(whole)) expect(verdictsOf(merged)).toEqual(verdictsOf(whole))

    // What was merged can be judged again, and a shard too.
    for (const name of ['merged', 's2']) {
      const { code, stderr } = await runCli(['judge', name, '--quiet'], folder)
      expect({ code, stderr }).toEqual({ code: recordIn(join(folder, name)).exit.code, stderr: '' })
    }

    const gap = await runCli(['merge', 's1', 's3', ...at('bad')], folder)
    expect(gap.stderr).toContain('gap: of 3 shards, 2 missing')
    const overlap = await runCli(['merge', 's1', 's2', 's3', 's2', ...at('bad')], folder)
    expect(overlap.stderr).toContain('overlap: s2 and s2 are both shard 2 of 3')
    const whole1 = await runCli(['merge', 's1', 'whole', ...at('bad')], folder)
    expect(whole1.stderr).toContain('whole is not a shard')
    const into = await runCli(['merge', 's1', 's2', 's3', ...at('s1')], folder)
    expect(into.stderr).toContain('it is one of the shards')
    expect([gap.code, overlap.code, whole1.code, into.code]).toEqual([2, 2, 2, 2])
  }, 300_000)
})
