/** Scenarios about time with a clock that is moved: timeouts of any length in seconds. */

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findLibrary } from '../harness/parties/facilities.ts'
import { conformance } from '../suites/rap-oauth/tool/reference/conformance.ts'
import { certify } from './run-cli.ts'
import { python } from './third-party.ts'

type Settings = Readonly<Record<string, unknown>>

const program = (file: string) =>
  fileURLToPath(new URL(`../dist/suites/rap-oauth/tool/reference/${file}.js`, import.meta.url))

/** The reference tool, which declares ten minutes. */
function tool(env: Settings = {}, declares: Settings = {}): Settings {
  return {
    profile: 'rap-oauth/tool',
    implementation: { name: 'reference tool' },
    target: {
      ...conformance.target,
      command: [process.execPath, program('DEFECT' in env ? 'varied' : 'main')],
      env: { ...conformance.target.env, ...env },
      clock: 'jump',
    },
    operation: conformance.operation,
    declares: { ...conformance.declares, pendingTimeout: '10m', ...declares },
  }
}

async function judged(configuration: Settings, scenario: string, requirement: string) {
  const { record } = await certify(configuration, { args: ['--filter', scenario] })
  expect(record.failures).toEqual([])
  const found = record.findings.find((each) => each.requirement.endsWith(requirement))
  return { verdict: found?.verdict, clock: record.facts['clock'] }
}

const moved = (scenario: string) => ({ moved: [scenario], real: {} })

test.skipIf(!findLibrary('libfaketime')).each<[string, Settings, string]>([
  ['ends when it declares', tool(), 'pass'],
  ['ends a minute later', tool({ PENDING_TIMEOUT_MS: '660000' }), 'fail'],
  ['never ends', tool({ DEFECT: 'abandoned-call-never-ends' }), 'fail'],
])('a tool that declares ten minutes and %s', async (_, configuration, verdict) => {
  const scenario = 'abandoned-consent'
  expect(await judged(configuration, scenario, '/documented-timeout')).toEqual({
    verdict,
    clock: moved(scenario),
  })
})

test.skipIf(!findLibrary('libfaketime')).each<[string, Settings, string]>([
  ['refreshes what has expired', tool(), 'pass'],
  ['declares a leeway and has none', tool({}, { refreshLeeway: '60s' }), 'warn'],
])('a tool that %s', async (_, configuration, verdict) => {
  const scenario = 'access-token-expired'
  expect(await judged(configuration, scenario, '/refresh-expired-token')).toEqual({
    verdict,
    clock: moved(scenario),
  })
})

test.skipIf(!findLibrary('libfaketime'))(
  'a tool whose threads no jump wakes is waited for, as without one',
  async () => {
    const { target } = python as { target: Settings }
    const scenario = 'abandoned-consent'
    const configuration = { ...python, target: { ...target, clock: 'jump' } }
    const { verdict, clock } = await judged(configuration, scenario, '/documented-timeout')
    expect(verdict).toBe('pass')
    expect(clock).toEqual({ moved: [], real: { [scenario]: expect.stringContaining('sleeps') } })
  },
)
