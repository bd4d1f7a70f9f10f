/** A vendor who edits the run record, and signs that. */

import { describe, test } from 'vitest'
import type { RunRecord } from '../../reports/index.ts'
import { copy, editRecord, refuses, row, sign, verify, type Loose } from './bundle.ts'

/** The tolerance is edited wherever it stands, so that nothing contradicts it. */
const timing =
  (name: string, ms: number) =>
  (record: RunRecord): RunRecord => ({
    ...record,
    settings: { ...record.settings, [`${name}Ms`]: ms },
    configuration: {
      ...record.configuration,
      timing: { ...(record.configuration['timing'] as Loose), [name]: ms },
    },
  })

const suite = (change: Loose) => (record: RunRecord) =>
  ({ ...record, suite: { ...record.suite, ...change } }) as RunRecord
const catalogue = (change: Loose) => (record: RunRecord) =>
  suite({ catalogue: { ...record.suite.catalogue, ...change } })(record)
const fields = (change: Loose) => (record: RunRecord) => ({ ...record, ...change }) as RunRecord

describe('a vendor who edits the run record and signs it', () => {
  test.each<[string, (record: RunRecord) => RunRecord, RegExp]>([
    ['a longer acknowledgement', timing('ack', 600_000), /allowed for an acknowledgement 600000/],
    ['a longer grace', timing('grace', 25_000), /allowed beyond a declared timeout 25000 ms/],
    ['a shorter observation', timing('observe', 10), /watched for what must not happen 10 ms/],
    ['a longer observation', timing('observe', 9000), /watched for what must not happen 9000 ms/],
    ['shorter steps', timing('step', 1), /waited for one step 1 ms/],
    ['less patience', timing('maxWait', 1), /waited for anything 1 ms/],
    [
      'settings beside the configuration',
      (record) => fields({ settings: { ...record.settings, stepMs: 9000 } })(record),
      /settings is not what was configured/,
    ],
    [
      'an ability that was declared, undeclared',
      (record) => fields({ declared: { ...record.declared, refreshTokens: false } })(record),
      /declared is not what was configured/,
    ],
    ['strictness', fields({ strict: true }), /strict is not what was configured|exit is another/],
    [
      'another name',
      fields({ implementation: { name: 'another tool' } }),
      /implementation is not what was configured/,
    ],
    ['another suite', suite({ name: 'a better suite' }), /it was made by/],
    ['another catalogue', catalogue({ digest: `sha256:${'0'.repeat(64)}` }), /another catalogue/],
    ['other code', catalogue({ code: `sha256:${'0'.repeat(64)}` }), /judged by other code/],
    ['more checks', catalogue({ checks: 9999 }), /suite.catalogue is another/],
    [
      'another document',
      fields({ specification: { title: 'x', revision: 'x', published: 'x' } }),
      /specification is another/,
    ],
    [
      'a nonce on recordings that are older',
      fields({ nonce: 'given-by-a-buyer-today' }),
      /the names in the recording of .* were not made for its nonce/,
    ],
    ['another gate', fields({ gate: 'denied-consent' }), /gate is another/],
    [
      'other lanes',
      (record) => fields({ diagram: { ...record.diagram, user: 'tool' } })(record),
      /diagram is another/,
    ],
    [
      'another version of the environment',
      (record) => fields({ environment: { ...record.environment, suite: '9.9.9' } })(record),
      /environment.suite is another/,
    ],
    [
      'another exit reason',
      (record) => fields({ exit: { ...record.exit, reason: 'best of all' } })(record),
      /exit is another/,
    ],
    [
      'another exit code',
      (record) => fields({ exit: { ...record.exit, code: 77 } })(record),
      /exit is another/,
    ],
    ['another title', row((each) => ({ ...each, title: 'x' })), /its title is another/],
    [
      'another control',
      row((each) => ({ ...each, control: 'denied-consent' })),
      /its control is another/,
    ],
    [
      'another outcome',
      row((each) => ({ ...each, outcome: 'not-applicable' })),
      /its outcome is another/,
    ],
    ['a reason', row((each) => ({ ...each, reason: 'the network' })), /its reason is another/],
    ['another duration', row((each) => ({ ...each, durationMs: 1 })), /its duration is another/],
    [
      'a scenario less',
      (record) => fields({ scenarios: record.scenarios.slice(1) })(record),
      /scenarios are not those of the catalogue/,
    ],
    [
      'scenarios in another order',
      (record) => fields({ scenarios: record.scenarios.toReversed() })(record),
      /scenarios are not those of the catalogue/,
    ],
    [
      'no log',
      (record) =>
        Object.fromEntries(
          Object.entries(record).filter(([name]) => name !== 'log'),
        ) as unknown as RunRecord,
      /no recording of what belongs to no scenario/,
    ],
    [
      'an end before its beginning',
      fields({ finished: '2020-01-01T00:00:00.000Z' }),
      /finished before it started/,
    ],
    ['another length', fields({ durationMs: 1 }), /not the time from started to finished/],
    [
      'less time than was recorded',
      (record) => fields({ finished: record.started, durationMs: 0 })(record),
      /recorded more time than it took/,
    ],
    ['a part', fields({ partial: { filters: ['x'] } }), /only a part/],
    ['a baseline', fields({ baseline: { known: [], problems: [] } }), /a baseline/],
    ['one of many', fields({ repetition: { number: 1, of: 2 } }), /one of 2 repetitions/],
    ['a clock that jumped', fields({ clockJumpMs: 5000 }), /the clock jumped by 5000 ms/],
    ['an interrupted run', fields({ interrupted: 'SIGINT' }), /interrupted by SIGINT/],
    [
      'a failure of the harness',
      fields({ failures: [{ scenario: 'run', message: 'x' }] }),
      /harness failed 1 times/,
    ],
    ['another verdict', fields({ verdict: 'non-conformant' }), /the sums|another/],
    [
      'findings that pass',
      (record) => fields({ findings: record.findings.slice(1) })(record),
      /give another result|exit is another/,
    ],
    [
      'a scenario that leads out',
      row((each) => ({ ...each, id: '../../x' })),
      /there is no scenario with this name/,
    ],
  ])('%s: refused', async (_, change, why) => {
    const bundle = await copy()
    editRecord(bundle, change)
    await refuses(async () => {
      await sign(bundle)
      await verify(bundle)
    }, why)
  })
})
