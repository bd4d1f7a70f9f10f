/**
 * Every check can fail, and fails for its own reason: each defect of a reference implementation changes exactly the
 * verdicts that it declares (docs/kill-matrix.md).
 */

import { describe, expect, test } from 'vitest'
import {
  checksOf,
  described,
  lacksProof,
  measure,
  summarise,
  type CheckName,
  type Expectation,
  type Measured,
} from './expectation.ts'
import { roles, type Role } from './roles.ts'
import { runDefect } from './run-defect.ts'

describe.each(roles.map((role) => [role.profile.id, role] as const))('%s', (_id, role) => {
  const { profile, defects, expected } = role
  const turned = new Map<string, readonly CheckName[]>()

  test.concurrent('without a defect nothing changes', async ({ expect }) => {
    const found = await measured(role, undefined, { turns: [] })
    expect(found).toEqual({ turned: [], unproven: [] })
  })

  const named = defects.map(({ id, description }) => [id, description] as const)
  test.concurrent.each(named)('%s: %s', async (id) => {
    const expectation = expected[id] ?? { turns: [] }
    const found = await measured(role, id, expectation)
    turned.set(id, found.turned)
    expect(summarise(found)).toEqual(described(expectation))
  })

  // Judges what the runs above have measured; with a filter (-t) it says nothing.
  test('every check is turned by a defect', ({ skip }) => {
    skip(turned.size < defects.length, 'not every defect was run')
    const names = new Set([...turned.values()].flat().map(nameOf))
    expect(checksOf(profile).filter((check) => !names.has(nameOf(check)))).toEqual([])
  })
})

/** Runs that a starved machine may take before their proof has to be complete. */
const attempts = 3

/**
 * On a machine that is starved a run may find no proof of something, and says so: then it is repeated. A verdict
 * that fails, warns or passes where it should not is never given a second chance.
 */
async function measured(
  role: Role,
  defect: string | undefined,
  expectation: Expectation,
): Promise<Measured> {
  for (let attempt = 1; ; attempt += 1) {
    const found = measure(await runDefect(role, defect))
    if (attempt === attempts || !lacksProof(summarise(found), described(expectation))) return found
  }
}

function nameOf({ requirement, scenario }: CheckName): string {
  return `${scenario} ${requirement}`
}
