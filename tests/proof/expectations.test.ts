/** What the defects are expected to turn, and what oddities touch: complete, in known terms, and as documented. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeMatrix, matrixFile } from './describe-matrix.ts'
import { checksOf, namesOf, shortName } from './expectation.ts'
import { killedOf } from './killed.ts'
import type { Role } from './role.ts'
import { roles } from './roles.ts'

/** What several profiles ask by the same code. */
const shared = 'oauth-client/'

/** Whether a check that is shared is turned by a defect of another profile, in the same scenario. */
function turnedElsewhere(role: Role, name: string): boolean {
  const others = roles.filter((each) => each !== role)
  return (
    name.includes(`: ${shared}`) &&
    others.some((other) =>
      Object.values(killedOf(other))
        .flat()
        .some((each) => each === name || isGate(role, other, name, each)),
    )
  )
}

/** The gate has another name in each profile. */
function isGate(role: Role, other: Role, name: string, each: string): boolean {
  const [gate, otherGate] = [role, other].map(({ profile }) => `${profile.gate.scenario}: `)
  return (
    name.replace(gate!, '') === each.replace(otherGate!, '') &&
    name.startsWith(gate!) &&
    each.startsWith(otherGate!)
  )
}

describe.each(roles.map((role) => [role.profile.id, role] as const))('%s', (_id, role) => {
  const { profile, defects, oddities, expected, settings } = role
  const known = checksOf(profile).map(({ requirement }) => requirement)

  test('every defect has an expectation, and is noticed', () => {
    expect(Object.keys(expected).sort()).toEqual(defects.map(({ id }) => id).sort())
    const unnoticed = Object.entries(expected).filter(([, { turns }]) => turns.length === 0)
    expect(unnoticed).toEqual([])
  })

  test('a scenario judges a requirement by one check', () => {
    const names = namesOf(profile, checksOf(profile))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('every check is turned by a defect, in scenarios that there are', () => {
    const killed = killedOf(role)
    expect(Object.keys(killed)).toEqual(defects.map(({ id }) => id))
    const turned = new Set(Object.values(killed).flat())
    const names = namesOf(profile, checksOf(profile))
    expect([...turned].filter((name) => !names.includes(name))).toEqual([])
    expect(names.filter((name) => !turned.has(name) && !turnedElsewhere(role, name))).toEqual([])
  })

  test.each(Object.entries(killedOf(role)))('%s turns what is declared', (id, names) => {
    const requirements = names.map((name) => name.replace(/^.*: /, ''))
    const declared = (expected[id]?.turns ?? []).map((each) => shortName(profile, each))
    expect([...new Set(requirements)].sort()).toEqual([...new Set(declared)].sort())
  })

  test('every requirement that is judged is turned by a defect, and no other', () => {
    const turned = new Set(Object.values(expected).flatMap(({ turns }) => turns))
    expect([...turned].filter((requirement) => !known.includes(requirement))).toEqual([])
    const unturned = known.filter((requirement) => !turned.has(requirement))
    expect(unturned.filter((requirement) => !requirement.startsWith(shared))).toEqual([])
    const unproven = Object.values(expected).flatMap(({ unproven = [], varies = [] }) => [
      ...unproven,
      ...varies,
    ])
    expect(unproven.filter((requirement) => !known.includes(requirement))).toEqual([])
  })

  test('what is driven by name is a scenario', () => {
    const named = [...settings.restsOn, ...oddities.flatMap(({ touches }) => touches)]
    const scenarios = profile.scenarios.map(({ id }) => id)
    expect(named.filter((id) => !scenarios.includes(id))).toEqual([])
  })
})

test('docs/kill-matrix.md is up to date', async () => {
  const text = await describeMatrix(roles)
  if (process.env['UPDATE'] === '1') writeFileSync(matrixFile, text)
  expect(existsSync(matrixFile) && readFileSync(matrixFile, 'utf8'), 'UPDATE=1 rewrites it').toBe(
    text,
  )
})
