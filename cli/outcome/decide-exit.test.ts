import { expect, test } from 'vitest'
import type { Finding } from '../../harness/engine/index.ts'
import { countVerdicts, type UnfinishedRecord } from '../../reports/index.ts'
import { decideExit } from './decide-exit.ts'
import { exitCodeTable } from './exit-codes.ts'

const finding = (verdict: Finding['verdict']): Finding => ({
  requirement: 'p/tool/a',
  scenario: 's',
  title: 't',
  verdict,
  keyword: 'MUST',
  basis: 'specification',
  source: 's',
  message: 'm',
  evidence: [],
})
const failure = { scenario: 's', message: 'boom' }
const none = { signal: undefined, unreachable: undefined }

test.each([
  [['pass'], [], none, 0],
  [['pass', 'warn'], [], none, 0],
  [['pass', 'fail'], [], none, 1],
  [['pass', 'fail'], [failure], none, 1],
  [['pass'], [failure], none, 70],
  [['inconclusive'], [failure], none, 70],
  [['pass', 'inconclusive'], [], none, 3],
  [['not-applicable'], [], none, 3],
  [['inconclusive'], [], { ...none, unreachable: 'nothing listens' }, 3],
  [['pass'], [], { ...none, clockJumpMs: 3000 }, 3],
  [['pass', 'fail'], [failure], { ...none, clockJumpMs: -3000 }, 3],
  [['fail'], [], { ...none, signal: 'SIGINT' }, 130],
  [['pass'], [], { ...none, signal: 'SIGTERM' }, 143],
] as const)('%j with failures %j and %j: exit code %i', (verdicts, failures, how, code) => {
  const findings = verdicts.map(finding)
  const passed = verdicts.some((verdict) => verdict === 'pass')
  const open = !passed || verdicts.some((verdict) => verdict === 'inconclusive')
  const verdict = open ? 'inconclusive' : 'conformant'
  const part = {
    findings,
    failures,
    strict: false,
    verdict,
    partial: false,
    counts: countVerdicts(findings),
    scenarios: [],
    ...('clockJumpMs' in how ? { clockJumpMs: how.clockJumpMs } : {}),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a record decides nothing
  const record = part as unknown as UnfinishedRecord
  expect(decideExit(record, how).code).toBe(code)
})

test('every code is explained once', () => {
  const codes = exitCodeTable.map((row) => row.code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual([0, 1, 2, 3, 4, 5, 70, 129, 130, 143])
})

test('where nothing was recorded, the first finding says why', () => {
  const findings = [{ ...finding('inconclusive'), message: 'it did not start' }]
  const scenario = { id: 's', title: 't', outcome: 'unfinished', durationMs: 0 }
  const part = { findings, failures: [], strict: false, partial: false }
  const reasonOf = (scenarios: readonly object[]) => {
    const whole = { ...part, counts: countVerdicts(findings), scenarios }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a record decides nothing
    return decideExit(whole as unknown as UnfinishedRecord, none).reason
  }
  expect(reasonOf([scenario])).toBe('it did not start')
  const transcript = { file: 'f', digest: 'd' }
  expect(reasonOf([{ ...scenario, transcript }])).toBe(
    `1 binding requirement without proof: ${finding('inconclusive').requirement}`,
  )
})

test('requirements without proof are named, few of many', () => {
  const findings = ['a', 'b', 'c', 'd', 'e'].map((requirement) => ({
    ...finding('inconclusive'),
    requirement,
  }))
  const part = { findings, failures: [], strict: false, partial: false, scenarios: [] }
  const counts = countVerdicts([...findings, finding('pass')])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a record decides nothing
  const { reason } = decideExit({ ...part, counts } as unknown as UnfinishedRecord, none)
  expect(reason).toBe('5 binding requirements without proof: a, b, c and 2 more')
})
