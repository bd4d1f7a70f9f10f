/**
 * Every check can fail, and fails for its own reason: each defect of a reference implementation changes exactly the
 * verdicts that it declares (docs/kill-matrix.md), in exactly the scenarios that are recorded (`killed.json`). And none
 * accuses the innocent: an oddity changes no verdict at all.
 */

import { afterAll, test } from 'vitest'
import {
  agree,
  comparePart,
  compareWhole,
  lacksProof,
  measure,
  namesOf,
  scenarioOf,
  type Measured,
} from './expectation.ts'
import type { Finding } from '../../harness/engine/index.ts'
import { killedOf, recordKilled } from './killed.ts'
import { readOptions, shardOf } from './options.ts'
import { focusOn, wholeRuns } from './plan.ts'
import type { Expectation, Role, Variation } from './role.ts'
import { roles } from './roles.ts'
import { runVariation, type Varied } from './run-variation.ts'

const { full, shard, worker, seed, update } = readOptions(process.env)

/** One run that is to be made, and what it has to show. */
interface Case {
  readonly role: Role
  /** None: the clean implementation. */
  readonly varied?: Varied
  readonly expectation: Expectation
  /** The checks that turn, where they are known. */
  readonly killed: readonly string[] | undefined
  /** The scenarios in which it shows. */
  readonly shows: readonly string[]
  /** Whether everything is driven, or what matters and one other. */
  readonly whole: boolean
}

const nothing: Expectation = { turns: [] }

function cleanCase(role: Role): Case {
  const shows = role.profile.scenarios.map(({ id }) => id)
  return { role, expectation: nothing, killed: [], shows, whole: true }
}

function defectCase(role: Role, row: Variation): Case {
  const expectation = role.expected[row.id] ?? nothing
  const { configuration } = expectation
  const killed = killedOf(role)[row.id]
  return {
    role,
    varied: { kind: 'defect', row, ...(configuration && { configuration }) },
    expectation,
    killed: update ? undefined : killed,
    shows: (killed ?? []).map(scenarioOf),
    // Where it shows is not known before it was recorded.
    whole: full || killed === undefined,
  }
}

function oddityCase(role: Role, row: Role['oddities'][number]): Case {
  const { configuration } = row
  return {
    role,
    varied: { kind: 'oddity', row, ...(configuration && { configuration }) },
    expectation: nothing,
    killed: [],
    // What it turns by mistake may be seen in all that it says.
    shows: [...row.touches, ...wholeRuns(role.profile)],
    whole: full,
  }
}

const cases = roles.flatMap((role): Case[] => [
  ...(shard.index === 1 ? [cleanCase(role)] : []),
  ...shardOf(role.defects, shard).map((row) => defectCase(role, row)),
  ...(update ? [] : shardOf(role.oddities, shard).map((row) => oddityCase(role, row))),
])

const turned = new Map<Role, Map<string, readonly string[]>>(roles.map((role) => [role, new Map()]))
afterAll(async () => {
  if (!update) return
  for (const [role, names] of turned) await recordKilled(role, Object.fromEntries(names))
})

const named = spread(shardOf(cases, worker)).map((each) => [titleOf(each), each] as const)
test.concurrent.for(named)('%s', async ([, planned], { expect }) => {
  const { role, varied } = planned
  const { found, differences } = await proven(planned)
  if (varied) turned.get(role)?.set(varied.row.id, namesOf(role.profile, found.turned))
  expect(differences).toEqual(none)
})

/** What takes long begins early, so that nothing is waited for alone in the end, and among others that do not. */
function spread(all: readonly Case[]): Case[] {
  const sorted = all.toSorted((a, b) => b.shows.length - a.shows.length)
  const order: Case[] = []
  while (sorted.length > 0) order.push(...sorted.splice(0, 1), ...sorted.splice(-7))
  return order
}

function titleOf({ role, varied }: Case): string {
  const what = varied && `${varied.kind} ${varied.row.id}: ${varied.row.description}`
  return `${role.profile.id}, ${what ?? 'without a defect nothing changes'}`
}

const none = { missing: [], extra: [], unproven: [], proven: [] }

/** Runs that a starved machine may take before their proof has to be complete. */
const attempts = 3

/**
 * On a machine that is starved a run may find no proof of something, and says so; or what it watches for comes after
 * it has stopped watching. So what is without proof is run again, at most twice, and any other difference once: what
 * a check does wrong it does in both. Every run that differed is printed.
 */
async function proven(planned: Case) {
  const { role, varied, whole } = planned
  const { profile } = role
  const name = varied?.row.id ?? 'without a defect'
  const scenarios = whole
    ? profile.scenarios.map(({ id }) => id)
    : focusOn(role, planned.shows, `${seed} ${name}`)
  let differed = false
  for (let attempt = 1; ; attempt += 1) {
    const findings = await runVariation(role, varied, scenarios)
    const found = measure(findings.filter((each) => !isDeclared(planned, each)))
    const differences = compare(planned, found, whole ? undefined : scenarios)
    const done = { found, differences }
    if (attempt === attempts || agree(differences)) return done
    const lacking = lacksProof(profile, found, differences)
    if (!lacking && differed) return done
    differed ||= !lacking
    console.warn(`${name}, run again:`, differences)
  }
}

/**
 * What a vendor declares otherwise may make a check pointless; for a defect that is declared, too. What need not be
 * offered is missing in the reference implementation, or lawfully in an oddity of it.
 */
function isDeclared({ role, varied }: Case, { verdict, scenario }: Finding): boolean {
  const { kind, configuration } = varied ?? {}
  const isMissing = role.settings.notOffered?.includes(scenario) === true
  if (verdict === 'not-offered') return kind === 'oddity' || isMissing
  const isOtherwise = kind === 'oddity' && configuration !== undefined
  return verdict === 'not-applicable' && (isOtherwise || isMissing)
}

function compare(
  { role, expectation, killed }: Case,
  found: Measured,
  part: readonly string[] | undefined,
) {
  return part === undefined || killed === undefined
    ? compareWhole(role.profile, found, expectation, killed)
    : comparePart(role.profile, found, expectation, killed, part)
}
