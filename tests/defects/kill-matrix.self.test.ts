/**
 * Every check can fail, and fails for its own reason: each defect of a reference implementation changes exactly the
 * verdicts that it declares (docs/kill-matrix.md), in exactly the scenarios that are recorded (`killed/`).
 */

import { afterAll, describe, test } from 'vitest'
import {
  described,
  lacksProof,
  measure,
  namesOf,
  summarise,
  type Expectation,
  type Measured,
} from './expectation.ts'
import { killedOf, recordKilled } from './killed.ts'
import { roles, type Role } from './roles.ts'
import { runDefect } from './run-defect.ts'

const update = process.env['UPDATE'] === '1'

describe.each(roles.map((role) => [role.profile.id, role] as const))('%s', (_id, role) => {
  const { defects, expected } = role
  const killed = killedOf(role)
  const turned = new Map<string, readonly string[]>()
  afterAll(async () => {
    if (update) await recordKilled(role, Object.fromEntries(turned))
  })

  test.concurrent('without a defect nothing changes', async ({ expect }) => {
    const found = await measured(role, undefined, { turns: [] }, [])
    expect(found).toEqual({ turned: [], unproven: [] })
  })

  const named = defects.map(({ id, description }) => [id, description] as const)
  test.concurrent.for(named)('%s: %s', async ([id], { expect }) => {
    const expectation = expected[id] ?? { turns: [] }
    const found = await measured(role, id, expectation, update ? undefined : killed[id])
    turned.set(id, namesOf(found.turned))
    expect(summarise(found)).toEqual(described(expectation))
    if (!update) expect(namesOf(found.turned)).toEqual(killed[id])
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
  killed: readonly string[] | undefined,
): Promise<Measured> {
  for (let attempt = 1; ; attempt += 1) {
    const found = measure(await runDefect(role, defect))
    if (attempt === attempts || !lacksProof(found, expectation, killed)) return found
  }
}
