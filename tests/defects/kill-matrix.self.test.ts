/**
 * Every check can fail, and fails for its own reason: each defect of a reference implementation changes exactly the
 * verdicts that it declares (docs/kill-matrix.md).
 */

import { describe, expect, test } from 'vitest'
import { checksOf, described, measure, summarise, type CheckName } from './expectation.ts'
import { roles } from './roles.ts'
import { runDefect } from './run-defect.ts'

describe.each(roles.map((role) => [role.profile.id, role] as const))('%s', (_id, role) => {
  const { profile, defects, expected } = role
  const turned = new Map<string, readonly CheckName[]>()

  test.concurrent('without a defect nothing changes', async ({ expect }) => {
    expect(measure(await runDefect(role))).toEqual({ turned: [], unproven: [] })
  })

  const named = defects.map(({ id, description }) => [id, description] as const)
  test.concurrent.each(named)('%s: %s', async (id) => {
    const found = measure(await runDefect(role, id))
    turned.set(id, found.turned)
    expect(summarise(found)).toEqual(described(expected[id] ?? { turns: [] }))
  })

  // Judges what the runs above have measured; with a filter (-t) it says nothing.
  test('every check is turned by a defect', ({ skip }) => {
    skip(turned.size < defects.length, 'not every defect was run')
    const names = new Set([...turned.values()].flat().map(nameOf))
    expect(checksOf(profile).filter((check) => !names.has(nameOf(check)))).toEqual([])
  })
})

function nameOf({ requirement, scenario }: CheckName): string {
  return `${scenario} ${requirement}`
}
