/** Scenarios about time with a clock that is moved: timeouts of any length in seconds. */

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findLibrary } from '../harness/parties/facilities.ts'
import { conformance as ofRuntime } from '../suites/rap-oauth/runtime/reference/conformance.ts'
import { conformance } from '../suites/rap-oauth/tool/reference/conformance.ts'
import { certify } from './run-cli.ts'
import { python } from './third-party.ts'
import { canBeReal, goOauth2, googleJava, googlePython, type Built } from './wired-tools.ts'

type Settings = Readonly<Record<string, unknown>>
type Configured = { readonly target: Settings; readonly declares: Settings }

const program = (role: 'tool' | 'runtime', file: string) =>
  fileURLToPath(new URL(`../dist/suites/rap-oauth/${role}/reference/${file}.js`, import.meta.url))

/** The same with a clock that is moved, and ten minutes of patience declared. */
function jumping(configuration: Settings, declares: Settings = {}): Settings {
  const { target, declares: before } = configuration as Configured
  return {
    ...configuration,
    target: { ...target, clock: 'jump' },
    declares: { ...before, pendingTimeout: '10m', ...declares },
  }
}

/** The reference tool, in Node. */
function node(env: Settings = {}, declares: Settings = {}): Settings {
  const file = 'DEFECT' in env || 'ODDITY' in env ? 'varied' : 'main'
  const { target, operation } = conformance
  const settings = {
    profile: 'rap-oauth/tool',
    implementation: { name: 'reference tool' },
    target: { command: [process.execPath, program('tool', file)], env: { ...target.env, ...env } },
    operation,
    declares: conformance.declares,
  }
  return jumping(settings, declares)
}

/** The reference runtime, which declares ten minutes of its own. */
function runtime(env: Settings = {}): Settings {
  const { target, declares } = ofRuntime
  return {
    ...ofRuntime,
    profile: 'rap-oauth/runtime',
    implementation: { name: 'reference runtime' },
    target: {
      command: [process.execPath, program('runtime', 'main')],
      env: { ...target.env, ...env },
      clock: 'jump',
    },
    declares: { ...declares, userTimeout: '10m' },
  }
}

/** @throws where it cannot be built here */
function wired(built: Built, declares: Settings = {}): Settings {
  if ('missing' in built) throw new Error(built.missing)
  return jumping(built.configuration, declares)
}

async function judged(configuration: Settings, scenario: string, requirement: string) {
  const { record } = await certify(configuration, { args: ['--filter', scenario] })
  expect(record.failures).toEqual([])
  const found = record.findings.find((each) => each.requirement.endsWith(requirement))
  return { verdict: found?.verdict, message: found?.message, clock: record.facts['clock'] }
}

const abandoned = (configuration: Settings) =>
  judged(configuration, 'abandoned-consent', '/documented-timeout')
const expired = (configuration: Settings) =>
  judged(configuration, 'access-token-expired', '/refresh-expired-token')

const isMoved = (scenario: string) => ({ moved: [scenario], real: {} })
const isReal = (scenario: string, why: string) => ({
  moved: [],
  real: { [scenario]: expect.stringContaining(why) },
})

type Case = readonly [what: string, configuration: () => Settings, verdict: string]

describe.skipIf(!findLibrary('libfaketime'))('ten minutes that are declared', () => {
  test('are not waited for by a certification', async () => {
    const { code, record } = await certify(node())
    const open = record.findings.filter(({ verdict }) => !/^(pass|not-)/.test(verdict))
    expect({ code, verdict: record.verdict, open }).toEqual({
      code: 0,
      verdict: 'conformant',
      open: [],
    })
    const { moved, real } = record.facts['clock'] as { moved: string[]; real: object }
    expect(moved).toContain('abandoned-consent')
    expect(real).toEqual({})
    expect(record.durationMs).toBeLessThan(600_000)
  })

  test.for<Case>([
    ['and kept, in Node', () => node(), 'pass'],
    ['and exceeded by one, in Node', () => node({ PENDING_TIMEOUT_MS: '660000' }), 'fail'],
    ['and never kept, in Node', () => node({ DEFECT: 'abandoned-call-never-ends' }), 'fail'],
    ['and kept, in Python (asyncio)', () => wired(googlePython(600)), 'pass'],
    ['and exceeded by one, in Python (asyncio)', () => wired(googlePython(660)), 'fail'],
    ['and exceeded by a year, in Python (asyncio)', () => wired(googlePython(31e6)), 'fail'],
  ])('%s', async ([what, configuration, verdict], { skip }) => {
    if (what.includes('Python') && !canBeReal) skip('real names cannot be served here')
    expect(await abandoned(configuration())).toMatchObject({
      verdict,
      clock: isMoved('abandoned-consent'),
    })
  })

  test.each<[string, Settings, string]>([
    ['kept', runtime(), 'pass'],
    ['exceeded by one', runtime({ CALL_TIMEOUT_MS: '660000' }), 'fail'],
    ['halved', runtime({ CALL_TIMEOUT_MS: '290000' }), 'fail'],
  ])('are those of a runtime, too: %s', async (_, configuration, verdict) => {
    const scenario = 'runtime-timeout'
    expect(await judged(configuration, scenario, '/documented-timeout')).toMatchObject({
      verdict,
      clock: isMoved(scenario),
    })
  })

  test.for<Case>([
    ['expired, in Node', () => node(), 'pass'],
    [
      'nearly expired, as it declares, in Node',
      () => node({ ODDITY: 'refreshes-a-minute-early' }, { refreshLeeway: '60s' }),
      'pass',
    ],
    [
      'only expired, against what it declares, in Node',
      () => node({}, { refreshLeeway: '60s' }),
      'warn',
    ],
    ['nearly expired, as it declares, in Python', () => wired(googlePython(600)), 'pass'],
    [
      'later than it declares, in Python',
      () => wired(googlePython(600), { refreshLeeway: '5m' }),
      'warn',
    ],
    ['nearly expired, as it declares, in Java', () => wired(googleJava(600)), 'pass'],
    [
      'later than it declares, in Java',
      () => wired(googleJava(600), { refreshLeeway: '2m' }),
      'warn',
    ],
  ])('a token is refreshed that has %s', async ([what, configuration, verdict], { skip }) => {
    if (!what.includes('Node') && !canBeReal) skip('real names cannot be served here')
    expect(await expired(configuration())).toMatchObject({
      verdict,
      clock: isMoved('access-token-expired'),
    })
  })
})

describe.skipIf(!findLibrary('libfaketime'))('where no jump is noticed, time is real', () => {
  test('Python: what threads wait for with a timeout comes no sooner', async () => {
    const { verdict, clock } = await abandoned(jumping(python, { pendingTimeout: '10s' }))
    expect({ verdict, clock }).toEqual({
      verdict: 'pass',
      clock: isReal('abandoned-consent', 'sleeps'),
    })
  })

  test('Python: nor do tokens expire by it, where threads wait with a timeout', async () => {
    const { verdict, clock } = await expired(jumping(python, { pendingTimeout: '10s' }))
    expect({ verdict, clock }).toEqual({
      verdict: 'pass',
      clock: isReal('access-token-expired', 'sleeps for ever'),
    })
  })

  test.skipIf(!canBeReal)(
    'Java: what waits for a user sleeps on, and nothing is judged',
    async () => {
      const { verdict, message, clock } = await abandoned(wired(googleJava(600)))
      expect(verdict).toBe('inconclusive')
      expect(message).toContain('longer than the run may wait')
      expect(clock).toEqual(isReal('abandoned-consent', 'sleeps'))
    },
  )

  test.skipIf(!canBeReal).each<[string, '0' | '1']>([
    ['static', '0'],
    ['linked with libc', '1'],
  ])('Go: a program that is %s goes by the clock of the kernel', async (_, cgo) => {
    const { verdict, clock } = await abandoned(wired(goOauth2(cgo), { pendingTimeout: '10s' }))
    expect(verdict).toBe('pass')
    expect(clock).toEqual(
      isReal('abandoned-consent', 'its clock cannot be moved: its Date is still'),
    )
  })
})
