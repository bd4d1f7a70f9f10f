import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rapRuntime } from './profile.ts'
import { scenarios } from './scenarios/index.ts'

const judged = new Set(scenarios.flatMap(({ checks }) => checks.map((each) => each.requirement)))
const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
const sorted = (ids: Iterable<string>): string[] => [...ids].sort()

test('no runtime row without a check, no check without a row', () => {
  const { requirements } = rapRuntime
  const demanded = requirements.filter(({ excluded }) => excluded === undefined)
  expect(sorted(judged)).toEqual(sorted(demanded.map(({ id }) => id)))
})

test('there are more than sixty checks', () => {
  expect(scenarios.flatMap(({ checks }) => checks).length).toBeGreaterThan(60)
})

test('scenarios have ids and titles of their own, and checks that are told apart', () => {
  expect(byId.size).toBe(scenarios.length)
  expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length)
  for (const { id, checks } of scenarios) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    const names = checks.map(({ requirement, title }) => `${requirement} ${title}`)
    expect([id, ...sorted(new Set(names))]).toEqual([id, ...sorted(names)])
  }
})

test('controls exist and are disturbed by nothing', () => {
  for (const { control } of scenarios) {
    if (control === undefined) continue
    const twin = byId.get(control)
    expect(twin, control).toBeDefined()
    expect([twin?.control, twin?.after, twin?.notApplicable]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  }
  expect(byId.get(rapRuntime.gate)?.control).toBeUndefined()
})

test('every file of scenarios has examples for its checks beside it', () => {
  const files = readdirSync(new URL('scenarios/', import.meta.url))
  const helpers = ['define.ts', 'index.ts', 'testing.ts']
  const sources = files.filter((file) => !file.endsWith('.test.ts') && !helpers.includes(file))
  for (const file of sources) expect(files).toContain(file.replace('.ts', '.test.ts'))
})

test('the ids of checks are literals in the code', () => {
  const folder = new URL('scenarios/', import.meta.url)
  const sources = readdirSync(folder)
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n')
  for (const id of judged) expect(sources).toContain(`'${id}'`)
})
