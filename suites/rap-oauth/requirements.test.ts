import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { requirements } from './requirements.ts'
import { rapTool } from './tool/profile.ts'
import { scenarios } from './tool/scenarios/index.ts'

const tool = requirements.filter(({ id }) => id.startsWith('rap-oauth/tool/'))
const judged = new Set(scenarios.flatMap(({ checks }) => checks.map((each) => each.requirement)))
const sorted = (ids: Iterable<string>): string[] => [...ids].sort()

describe('the catalogue', () => {
  test('has unique ids that are paths of protocol, role and name', () => {
    const ids = requirements.map(({ id }) => id)
    expect(sorted(new Set(ids))).toEqual(sorted(ids))
    for (const id of ids) expect(id).toMatch(/^rap-oauth\/(tool|runtime)\/[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('has them as literals', () => {
    const source = readFileSync(new URL('requirements.ts', import.meta.url), 'utf8')
    for (const { id } of requirements) expect(source).toContain(`id: '${id}'`)
  })

  test.each(requirements.map((row) => [row.id, row] as const))(
    '%s has source, text, and either an observation or the reason for its exclusion',
    (_, { source, text, observed, excluded, keyword, basis }) => {
      expect(source).toMatch(/^(RAP |RFC \d)/)
      expect(text).toMatch(/^\S.*\.$/s)
      expect([observed, excluded].filter((each) => each !== undefined)).toEqual([
        expect.stringMatching(/^\S.{9,}\.$/s),
      ])
      expect(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY']).toContain(keyword)
      expect(['specification', 'best-practice']).toContain(basis)
      // What OAuth itself demands is cited from there, what RAP demands from RAP.
      expect(source).toMatch(basis === 'specification' ? /RAP/ : /RFC \d/)
    },
  )

  test('is judged one to one: no tool row without a check, no check without a row', () => {
    const demanded = tool.filter(({ excluded }) => excluded === undefined).map(({ id }) => id)
    expect(sorted(judged)).toEqual(sorted(demanded))
  })

  test('is what the profile shows', () => {
    expect(rapTool.requirements).toEqual(tool)
    expect(rapTool.scenarios).toBe(scenarios)
  })
})

describe('the scenarios', () => {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))

  test('have unique ids in kebab-case', () => {
    expect(byId.size).toBe(scenarios.length)
    for (const { id } of scenarios) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('have titles of their own, and checks', () => {
    expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length)
    for (const { checks } of scenarios) {
      expect(checks.length).toBeGreaterThan(0)
      for (const { title } of checks) expect(title).toMatch(/\S/)
    }
  })

  test('tell checks of one requirement apart by their titles', () => {
    for (const { id, checks } of scenarios) {
      const names = checks.map(({ requirement, title }) => `${requirement} ${title}`)
      expect([id, ...sorted(new Set(names))]).toEqual([id, ...sorted(names)])
    }
  })

  test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
    'the controls of %s exist and end at one that has none',
    (id, scenario) => {
      const path = [id]
      for (let next = scenario.control; next !== undefined; next = byId.get(next)?.control) {
        expect(byId.has(next), next).toBe(true)
        expect(path).not.toContain(next)
        path.push(next)
      }
      expect(byId.get(path.at(-1)!)?.control).toBeUndefined()
    },
  )

  test('have no control that judges the whole run or that a declaration can take away', () => {
    for (const { control } of scenarios) {
      const twin = control === undefined ? undefined : byId.get(control)
      expect(twin?.after).toBeUndefined()
      expect(twin?.notApplicable).toBeUndefined()
    }
  })

  test('have a gate that nothing disturbs', () => {
    const gate = byId.get(rapTool.gate)
    expect(gate).toMatchObject({ id: 'authorize-and-complete' })
    expect([gate?.control, gate?.after, gate?.notApplicable]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

test('the ids of checks are literals in the code', () => {
  const files = ['acknowledgement', 'authorization-errors', 'authorization-requests']
  files.push('authorize-and-complete', 'bad-invocations', 'callback-delivery', 'callback-identity')
  files.push('concurrency', 'exchange-errors', 'forged-callbacks', 'identifiers', 'issuer')
  files.push('manifest', 'pages', 'resource-errors', 'timeouts', 'tokens', 'whole-run')
  const sources = files
    .map((file) => readFileSync(new URL(`tool/scenarios/${file}.ts`, import.meta.url), 'utf8'))
    .join('\n')
  for (const id of judged) expect(sources).toContain(`'${id}'`)
})
