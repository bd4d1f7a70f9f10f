/**
 * Every check can fail, and fails for its own reason: each defect of a reference implementation changes exactly the
 * verdicts that it declares (docs/kill-matrix.md), in exactly the scenarios that are recorded (`killed/`).
 */

import { isDeepStrictEqual } from 'node:util'
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
 * On a machine that is starved a run may find no proof of something, and says so; or what it watches for comes after
 * it has stopped watching. So what is without proof is run again, at most twice, and any other difference once: what
 * a check does wrong it does in both. Every run that differed is printed.
 */
async function measured(
  role: Role,
  defect: string | undefined,
  expectation: Expectation,
  killed: readonly string[] | undefined,
): Promise<Measured> {
  let differed = false
  for (let attempt = 1; ; attempt += 1) {
    const found = measure(await runDefect(role, defect))
    const lacking = lacksProof(found, expectation, killed)
    if (attempt === attempts || matches(found, expectation, killed)) return found
    if (!lacking && differed) return found
    differed ||= !lacking
    console.warn(`${defect ?? 'without a defect'}, run again:`, differences(found, killed))
  }
}

/** Whether exactly the declared requirements turned, in exactly the recorded checks. */
function matches(
  found: Measured,
  expectation: Expectation,
  killed: readonly string[] = namesOf(found.turned),
): boolean {
  const asDeclared = isDeepStrictEqual(summarise(found), described(expectation))
  return asDeclared && isDeepStrictEqual(namesOf(found.turned), killed)
}

function differences(found: Measured, killed: readonly string[] = []) {
  const turned = namesOf(found.turned)
  return {
    missing: killed.filter((name) => !turned.includes(name)),
    extra: turned.filter((name) => !killed.includes(name)),
    unproven: summarise(found).unproven,
  }
}
