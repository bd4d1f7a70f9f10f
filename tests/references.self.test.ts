/** The reference implementation of every profile is certified by the command of the README. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRunRecord } from '../reports/index.ts'
import { profiles } from '../suites/registry.ts'
import { recordedRun } from './recorded-runs.ts'

/** Over HTTP there is no standard output to look at, and who answers by calls has no consent leg: variations have them. */
const variationsOnly = ['standard-output', 'flow-of-another-user']

describe.each(profiles.map((profile) => [profile.id, profile] as const))('%s', (id, profile) => {
  test('is certified in every scenario, with no warning and nothing inconclusive', async () => {
    const { code, stdout, folder } = await recordedRun(id)
    expect(stdout).toContain(`CONFORMANT  ${profile.reference.name}`)
    expect(code).toBe(0)
    const record = parseRunRecord(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')))
    // What it need not offer, such as a registration during a call, its oddities and defects do.
    const fine = ['pass', 'not-offered']
    const others = record.findings.filter(
      ({ scenario, verdict }) =>
        !fine.includes(verdict) &&
        !(variationsOnly.includes(scenario) && verdict === 'not-applicable'),
    )
    expect(others).toEqual([])
    expect(record.scenarios.map((scenario) => scenario.id).sort()).toEqual(
      profile.scenarios.map((scenario) => scenario.id).sort(),
    )
    const checks = profile.scenarios.flatMap((scenario) => scenario.checks)
    expect(record.findings).toHaveLength(checks.length)
  })
})
