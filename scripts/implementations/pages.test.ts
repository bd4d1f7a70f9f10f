/** The recipes for public software and the pages that were written from them belong together. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordOf, failed } from '../../reports/testing.ts'
import { gridPage } from './pages.ts'
import { readRecipes, type Recipe } from './recipe.ts'
import { toldOf, unread } from './unread.ts'
import { profiles } from '../../suites/registry.ts'

const pages = fileURLToPath(new URL('../../docs/implementations', import.meta.url))
const recipes = readRecipes()
const requirements = new Set(profiles.flatMap((each) => each.requirements.map(({ id }) => id)))

test('there are ten or more, in five or more profiles', () => {
  const used = recipes.flatMap(({ folder, configurations }) =>
    configurations.map((file) => {
      const read = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { profile: string }
      return read.profile
    }),
  )
  expect(recipes.length).toBeGreaterThanOrEqual(10)
  expect(new Set(used).size).toBeGreaterThanOrEqual(5)
})

test.each(recipes)('$name: names requirements that there are, and has a page', (recipe) => {
  const named = recipe.observed.flatMap((each) => each.requirements)
  expect(named.filter((id) => !requirements.has(id))).toEqual([])
  expect(existsSync(join(pages, `${recipe.name}.md`))).toBe(true)
  const files = [
    ...recipe.observed.flatMap((each) => each.in ?? []),
    ...recipe.unproven.map((e) => e.in),
  ]
  expect(files.filter((file) => !recipe.configurations.includes(file))).toEqual([])
})

test('no page was published with a finding that nobody has read', () => {
  const texts = recipes.map(({ name }) => readFileSync(join(pages, `${name}.md`), 'utf8'))
  expect(texts.filter((text) => /not read yet/i.test(text))).toEqual([])
})

test.each(recipes)('$name: what it builds on is what it pins', ({ folder, install }) => {
  if (!('cargo' in install)) return
  const manifest = readFileSync(join(folder, 'Cargo.toml'), 'utf8')
  for (const crate of install.cargo) {
    const [name, version] = crate.split('@')
    expect(manifest).toContain(`${name} = { version = "=${version}"`)
  }
})

const recipe: Recipe = { ...recipes[0]!, name: 'r', observed: [], unproven: [] }
const run = { configuration: 'a.json', record: recordOf([failed]) }
const id = failed.requirement

test('a finding has to be read, and what was read has to be found', () => {
  expect(unread(recipe, [run])).toEqual([`r, a.json: ${id} was not read yet`])
  const read = { requirements: [id], text: '', source: '' }
  expect(unread({ ...recipe, observed: [read] }, [run])).toEqual([])
  expect(unread({ ...recipe, observed: [{ ...read, in: 'b.json' }] }, [run])).toHaveLength(2)
  expect(unread({ ...recipe, observed: [read] }, [])).toEqual([
    `r: ${id} was read, and no run finds it`,
  ])
})

test('what could not be proven is explained, and hides nothing that is broken elsewhere', () => {
  const open = { ...failed, verdict: 'inconclusive' as const, scenario: 'other' }
  const record = recordOf([open])
  expect(unread(recipe, [{ ...run, record }])).toEqual([
    'r, a.json: why was not everything proven?',
  ])
  const both = recordOf([failed, open])
  expect(toldOf(both, 'fail').map((row) => row.id)).toEqual([id])
  expect(toldOf(both, 'inconclusive')).toEqual([])
})

test('a grid of runs that other code judged says so, in each row', () => {
  const { record } = run
  const { suite } = record
  const code = `sha256:${'a'.repeat(64)}`
  const older = { ...record, suite: { ...suite, catalogue: { ...suite.catalogue, code } } }
  const page = (records: readonly (typeof record)[]) =>
    gridPage(records.map((each) => ({ recipe, runs: [{ configuration: 'a.json', record: each }] })))
  expect(page([record, older])).toContain(`| ${suite.version}, code aaaaaaa |`)
  expect(page([record, older])).toContain('not all were judged by the same code')
  expect(page([record, record])).not.toContain('not all were judged by the same code')
})
