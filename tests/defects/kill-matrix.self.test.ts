/**
 * Every check can fail, and fails for its own reason: each defect of a reference implementation changes exactly the
 * verdicts that it declares (docs/kill-matrix.md; rewritten with UPDATE=1).
 */

import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeMatrix, matrixFile, storedMatrix, type Matrix } from './describe-matrix.ts'
import { checksOf, described, measure, summarise, type CheckName } from './expectation.ts'
import { roles } from './roles.ts'
import { runDefect } from './run-defect.ts'

const matrices: Matrix[] = []

describe.each(roles.map((role) => [role.profile.id, role] as const))('%s', (_id, role) => {
  const { profile, defects, expected } = role
  const measured: Matrix['measured'] = new Map()
  const matrix: Matrix = { role, measured }

  test('every defect has an expectation, with requirements of the catalogue', () => {
    expect(Object.keys(expected).sort()).toEqual(defects.map(({ id }) => id).sort())
    const named = Object.values(expected).flatMap(({ turns, unproven = [] }) => [
      ...turns,
      ...unproven,
    ])
    const known = new Set(profile.requirements.map(({ id }) => id))
    expect(named.filter((requirement) => !known.has(requirement))).toEqual([])
  })

  describe('exactly the declared verdicts change', () => {
    test.concurrent('none without a defect', async ({ expect }) => {
      expect(measure(await runDefect(role))).toEqual({ turned: [], unproven: [] })
    })

    const named = defects.map(({ id, description }) => [id, description] as const)
    test.concurrent.each(named)('%s: %s', async (id) => {
      const found = measure(await runDefect(role, id))
      measured.set(id, found)
      expect(summarise(found)).toEqual(described(expected[id] ?? { turns: [] }))
    })
  })

  // These judge what the runs above have measured; with a filter (-t) they say nothing.
  describe('taken together', () => {
    test('every check is turned by a defect', ({ skip }) => {
      skip(isPartial(matrix), 'not every defect was run')
      matrices.push(matrix)
      const turned = new Set([...measured.values()].flatMap((each) => each.turned.map(nameOf)))
      const names = checksOf(profile).map(nameOf)
      expect(names.filter((name) => !turned.has(name))).toEqual([])
    })

    test('every defect is noticed', ({ skip }) => {
      skip(isPartial(matrix), 'not every defect was run')
      const unnoticed = [...measured].filter(([, { turned }]) => turned.length === 0)
      expect(unnoticed.map(([id]) => id)).toEqual([])
    })
  })
})

test('docs/kill-matrix.md is up to date', async ({ skip }) => {
  skip(matrices.length < roles.length, 'not every defect was run')
  const text = await describeMatrix(matrices)
  if (process.env['UPDATE'] === '1') writeFileSync(matrixFile, text)
  expect(storedMatrix(), 'UPDATE=1 rewrites it').toBe(text)
})

function isPartial({ role, measured }: Matrix): boolean {
  return measured.size < role.defects.length
}

function nameOf({ requirement, scenario }: CheckName): string {
  return `${scenario} ${requirement}`
}
