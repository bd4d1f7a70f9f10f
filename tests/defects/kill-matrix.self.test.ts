/**
 * Every check can fail, and fails for its own reason: each defect of the reference tool changes exactly the verdicts
 * that it declares (docs/kill-matrix.md; rewritten with UPDATE=1).
 */

import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { defects } from '../../reference/rap-tool/defects.ts'
import { rapTool } from '../../suites/rap-oauth/tool/profile.ts'
import { describeMatrix, matrixFile, storedMatrix, type Row } from './describe-matrix.ts'
import { expected } from './expected.ts'
import { measure, sorted, summarise, type CheckName, type Measured } from './expectation.ts'
import { runDefect } from './run-defect.ts'

const checks: readonly CheckName[] = rapTool.scenarios.flatMap(({ id, checks }) =>
  checks.map(({ requirement }) => ({ requirement, scenario: id })),
)
const known = new Set(rapTool.requirements.map(({ id }) => id))
const measured = new Map<string, Measured>()

test('every defect has an expectation, with requirements of the catalogue', () => {
  expect(Object.keys(expected).sort()).toEqual(defects.map(({ id }) => id).sort())
  const named = Object.values(expected).flatMap(({ turns, unproven = [] }) => [
    ...turns,
    ...unproven,
  ])
  expect(named.filter((requirement) => !known.has(requirement))).toEqual([])
})

describe('exactly the declared verdicts change', () => {
  test.concurrent('none without a defect', async ({ expect }) => {
    const { turned, unproven } = measure(await runDefect(undefined))
    expect({ turned, unproven }).toEqual({ turned: [], unproven: [] })
  })

  test.concurrent.each(defects)('$id: $description', async ({ id }) => {
    const { turns = [], unproven = [], configuration } = expected[id] ?? {}
    const found = measure(await runDefect(id, configuration))
    measured.set(id, found)
    expect(summarise(found)).toEqual({ turns: sorted(turns), unproven: sorted(unproven) })
  })
})

// These judge what the runs above have measured; with a filter (-t) they say nothing.
describe('taken together', () => {
  const complete = (): Row[] =>
    defects.flatMap((defect) => {
      const found = measured.get(defect.id)
      return found ? [{ defect, measured: found }] : []
    })
  const partial = (): boolean => measured.size < defects.length

  test('every check is turned by a defect', ({ skip }) => {
    skip(partial(), 'not every defect was run')
    const turned = new Set(complete().flatMap(({ measured }) => measured.turned.map(nameOf)))
    expect(checks.map(nameOf).filter((name) => !turned.has(name))).toEqual([])
  })

  test('every defect is noticed', ({ skip }) => {
    skip(partial(), 'not every defect was run')
    const unnoticed = complete().filter(({ measured }) => measured.turned.length === 0)
    expect(unnoticed.map(({ defect }) => defect.id)).toEqual([])
  })

  test('docs/kill-matrix.md is up to date', async ({ skip }) => {
    skip(partial(), 'not every defect was run')
    const text = await describeMatrix({ rows: complete(), checks })
    if (process.env['UPDATE'] === '1') writeFileSync(matrixFile, text)
    expect(storedMatrix(), 'UPDATE=1 rewrites it').toBe(text)
  })
})

function nameOf({ requirement, scenario }: CheckName): string {
  return `${scenario} ${requirement}`
}
