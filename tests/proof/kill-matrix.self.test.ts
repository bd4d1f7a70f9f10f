/**
 * Every check can fail, and fails for its own reason: each defect of a reference implementation changes exactly the
 * verdicts that it declares (docs/kill-matrix.md), in exactly the scenarios that are recorded (`killed.json`). And none
 * accuses the innocent: an oddity changes no verdict at all.
 */

import { afterAll, test } from 'vitest'
import {
  agree,
  compareDeclared,
  comparePart,
  compareWhole,
  lacksProof,
  measure,
  namesOf,
  scenarioOf,
  sorted,
  type Measured,
} from './expectation.ts'
import type { Finding } from '../../harness/engine/index.ts'
import { killedOf, recordKilled } from './killed.ts'
import { readOptions, shardOf } from './options.ts'
import { driveOnly, focusOn, wholeRuns } from './plan.ts'
import type { Expectation, Role, Variation } from './role.ts'
import { roles } from './roles.ts'
import { runVariation, type Varied } from './run-variation.ts'

const { full, scenarios: only, shard, worker, seed, update } = readOptions(process.env)

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
  /** What is driven; none: everything. */
  readonly part: readonly string[] | undefined
}

const nothing: Expectation = { turns: [] }

function cleanCase(role: Role): Case {
  const shows = role.profile.scenarios.map(({ id }) => id)
  return { role, expectation: nothing, killed: [], shows, part: asked(role) }
}

function defectCase(role: Role, row: Variation): Case {
  const expectation = role.expected[row.id] ?? nothing
  const { configuration, comparedWith = [] } = expectation
  const killed = killedOf(role)[row.id]
  const shows = [...(killed ?? []).map(scenarioOf), ...comparedWith]
  return {
    role,
    varied: { kind: 'defect', row, ...(configuration && { configuration }) },
    expectation,
    killed: update ? undefined : killed,
    shows,
    // Where it shows is not known before it was recorded.
    part: drivenFor(role, row, shows, full || killed === undefined),
  }
}

function oddityCase(role: Role, row: Role['oddities'][number]): Case {
  const { configuration } = row
  // What it turns by mistake may be seen in all that it says.
  const shows = [...row.touches, ...wholeRuns(role.profile)]
  return {
    role,
    varied: { kind: 'oddity', row, ...(configuration && { configuration }) },
    expectation: nothing,
    killed: [],
    shows,
    part: drivenFor(role, row, shows, full),
  }
}

/** The scenarios that were asked for; none: the proof chooses. */
function asked({ profile }: Role): readonly string[] | undefined {
  return only.length > 0 ? driveOnly(profile, only) : undefined
}

function drivenFor(role: Role, row: Variation, shows: readonly string[], whole: boolean) {
  return asked(role) ?? (whole ? undefined : focusOn(role, shows, `${seed} ${row.id}`))
}

const known = new Set(roles.flatMap(({ profile }) => profile.scenarios.map(({ id }) => id)))
for (const id of only) if (!known.has(id)) throw new RangeError(`no profile has a scenario ${id}`)
const proved = roles.filter((role) => asked(role)?.length !== 0)
const cases = proved.flatMap((role): Case[] => [
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
  if (varied) turned.get(role)?.set(varied.row.id, recordOf(planned, found))
  expect(differences).toEqual(none)
})

/** What turned; of scenarios that were not driven what was recorded of them. */
function recordOf({ role, varied, part }: Case, { turned: names }: Measured): readonly string[] {
  const recorded = (varied && part && killedOf(role)[varied.row.id]) ?? []
  const kept = recorded.filter((name) => part?.includes(scenarioOf(name)) === false)
  return sorted([...kept, ...namesOf(role.profile, names)])
}

/** What takes long begins early, so that nothing is waited for alone in the end, and among others that do not. */
function spread(all: readonly Case[]): Case[] {
  const left = all.toSorted((a, b) => b.shows.length - a.shows.length)
  const order: Case[] = []
  while (left.length > 0) order.push(...left.splice(0, 1), ...left.splice(-7))
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
  const { role, varied, part } = planned
  const { profile } = role
  const name = varied?.row.id ?? 'without a defect'
  const scenarios = part ?? profile.scenarios.map(({ id }) => id)
  let differed = false
  for (let attempt = 1; ; attempt += 1) {
    const findings = await runVariation(role, varied, scenarios)
    const found = measure(findings.filter((each) => !isDeclared(planned, each)))
    const differences = compare(planned, found)
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

function compare({ role: { profile }, expectation, killed, part }: Case, found: Measured) {
  if (part === undefined) return compareWhole(profile, found, expectation, killed)
  return killed === undefined
    ? compareDeclared(profile, found, expectation)
    : comparePart(profile, found, expectation, killed, part)
}
