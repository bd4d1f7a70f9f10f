/** Registers what holds for every profile: the form of its catalogue, its scenarios and its files. */

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  judgeRecorded,
  linksOf,
  parseConfiguration,
  timingOf,
  Transcript,
  type AnyProfile,
  type Requirement,
  type Scenario,
} from '../harness/engine/index.ts'
import { sharedSuites } from './architecture/directions.ts'

type AnyScenario = Scenario<unknown>
type Declared = Readonly<Record<string, unknown>>

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/
const ofTests = /(^|\/)testing\.ts$|\.test\.ts$/

/** `folder` is where the profile stands: its rows, scenarios and reference implementation are below it. */
export function describeProfile(profile: AnyProfile, folder: URL): void {
  describe(profile.id, () => {
    describe('the catalogue', () => describeCatalogue(profile, folder))
    describe('the scenarios', () => describeScenarios(profile))
    describe('the files of scenarios', () => describeScenarioFiles(profile, folder))
    describe('what it declares', () => describeDeclarations(profile))
  })
}

function describeCatalogue(profile: AnyProfile, folder: URL): void {
  const { id: prefix, requirements, specification } = profile
  const scenarios = profile.scenarios as readonly AnyScenario[]
  const judged = scenarios.flatMap(({ checks }) => checks.map(({ requirement }) => requirement))

  test('has unique ids, of this profile or of what protocols share', () => {
    const ids = requirements.map(({ id }) => id)
    expect(duplicatesOf(ids)).toEqual([])
    const known = [prefix, ...sharedSuites]
    const misnamed = ids.filter((id) => !known.includes(folderOf(id)) || !kebab.test(nameOf(id)))
    expect(misnamed).toEqual([])
  })

  test('has them as literals, in rows and in checks', () => {
    const own = requirements.map(({ id }) => id).filter((id) => folderOf(id) === prefix)
    const rows = textBelow(folder)
    expect(own.filter((id) => !rows.includes(`id: '${id}'`))).toEqual([])
    const checks = textBelow(new URL('scenarios/', folder))
    const checked = own.filter((id) => judged.includes(id))
    expect(checked.filter((id) => !checks.includes(`'${id}'`))).toEqual([])
  })

  test.each(requirements.map((row) => [row.id, row] as const))(
    '%s has source, text, and either an observation or the reason for its exclusion',
    (_, row: Requirement) => {
      const { text, observed, excluded, keyword, basis, source, mend } = row
      expect(text).toMatch(/^\S.*\.$/s)
      expect([observed, excluded].filter((each) => each !== undefined)).toEqual([
        expect.stringMatching(/^\S.{9,}\.$/s),
      ])
      expect(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY']).toContain(keyword)
      expect(['specification', 'best-practice']).toContain(basis)
      // Whoever fails is told how that is usually mended.
      if (judged.includes(row.id)) expect(mend).toMatch(/^[A-Z].{20,}\.$/s)
      // Every part of a source can be looked up.
      const links = linksOf(source, specification)
      expect(links.map((link) => link.text)).toEqual(source.split(/;\s*/))
      // What OAuth itself demands is cited from there, what the protocol demands from its document.
      const pages = Object.values(specification.pages)
      const ofDocument = links.map(({ url }) => pages.some((page) => url.startsWith(page.url)))
      expect(ofDocument).toContain(basis === 'specification')
    },
  )

  test('is judged one to one: no row without a check, no check without a row', () => {
    const demanded = requirements.filter(({ excluded }) => excluded === undefined)
    expect([...new Set(judged)].sort()).toEqual(demanded.map(({ id }) => id).sort())
  })
}

function describeScenarios(profile: AnyProfile): void {
  const scenarios = profile.scenarios as readonly AnyScenario[]
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))

  test('have unique ids in kebab-case, and titles of their own', () => {
    expect(duplicatesOf(scenarios.map(({ id }) => id))).toEqual([])
    expect(duplicatesOf(scenarios.map(({ title }) => title))).toEqual([])
    expect(scenarios.filter(({ id }) => !kebab.test(id))).toEqual([])
  })

  test('have checks, which their titles tell apart', () => {
    for (const { id, checks } of scenarios) {
      expect([id, checks.length]).not.toEqual([id, 0])
      for (const { title } of checks) expect(title).toMatch(/\S/)
      const names = checks.map(({ requirement, title }) => `${requirement} ${title}`)
      expect([id, ...duplicatesOf(names)]).toEqual([id])
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
    },
  )

  test('have controls that judge no whole run, and that are taken away with them only', () => {
    const declared = profile.declared(referenceConfiguration(profile)) as Declared
    const useless = scenarios.filter(({ control, notApplicable }) => {
      const twin = byId.get(control ?? '')
      const isAlone = variationsOf(declared).some(
        (each) => twin?.notApplicable?.(each) !== undefined && !notApplicable?.(each),
      )
      return twin?.after !== undefined || isAlone
    })
    expect(useless.map(({ id }) => id)).toEqual([])
  })

  test('have a gate that nothing disturbs', () => {
    const gate = byId.get(profile.gate.scenario)
    expect(gate).toBeDefined()
    expect([gate?.after, gate?.notApplicable, gate?.ownInstance]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('pass nothing where nothing was recorded', () => {
    const configuration = referenceConfiguration(profile)
    const transcripts = new Map(
      scenarios.map(({ id }) => {
        const end = { seq: 1, t: 0, scenario: id, type: 'end', outcome: 'completed' } as const
        return [id, new Transcript([end])]
      }),
    )
    const declared: unknown = profile.declared(configuration)
    const run = { transcripts, declared, timing: timingOf(configuration), strict: false }
    const findings = scenarios.flatMap(({ id }) => judgeRecorded(profile, id, run))
    expect(findings).toHaveLength(scenarios.flatMap(({ checks }) => checks).length)
    expect(findings.filter(({ verdict }) => verdict === 'pass')).toEqual([])
  })
}

function describeScenarioFiles(profile: AnyProfile, folder: URL): void {
  const files = sourcesBelow(new URL('scenarios/', folder)).filter(
    (file) => basename(file) !== 'index.ts',
  )
  const exported = new Map<string, readonly AnyScenario[]>()
  beforeAll(async () => {
    for (const file of files) {
      const module: unknown = await import(pathToFileURL(file).href)
      exported.set(file, scenariosOf(Object.values(module as object)))
    }
  })

  test('export nothing that is not registered', () => {
    const registered = new Set<unknown>(profile.scenarios)
    const forgotten = [...exported].flatMap(([file, scenarios]) =>
      scenarios.filter((each) => !registered.has(each)).map(({ id }) => `${file}: ${id}`),
    )
    expect(forgotten).toEqual([])
    expect(new Set([...exported.values()].flat()).size).toBe(profile.scenarios.length)
  })

  test('have examples of their checks beside them', () => {
    const beside = readdirSync(new URL('scenarios/', folder)).filter((name) =>
      name.endsWith('.test.ts'),
    )
    const tests = beside.map((name) => readFileSync(new URL(`scenarios/${name}`, folder), 'utf8'))
    const bare = [...exported]
      .filter(([, scenarios]) => scenarios.length > 0)
      .filter(([file]) => !tests.some((text) => text.includes(`'./${basename(file)}'`)))
    expect(bare.map(([file]) => file)).toEqual([])
  })
}

function describeDeclarations(profile: AnyProfile): void {
  const { diagram, placeholders } = profile

  test('the lanes of its diagram are those of its channels', () => {
    const { lanes, implementation, user, channels } = diagram
    const ends = Object.values(channels).flatMap(({ from, to, routes = [] }) => [
      from,
      to,
      ...routes.flatMap((route) => [route.from ?? from, route.to ?? to]),
    ])
    expect([...new Set([implementation, user, ...ends])].sort()).toEqual([...lanes].sort())
  })

  test('a new configuration, and that of the reference implementation, can be used', () => {
    const { id, start, configuration } = profile
    expect(() => parseConfiguration(configuration, { profile: id, ...start })).not.toThrow()
    expect(() => referenceConfiguration(profile)).not.toThrow()
  })

  test('configurations contain only placeholders that it explains', () => {
    const targets = [profile.start, profile.reference.settings()].map(({ target }) => target)
    const text = JSON.stringify(targets)
    const used = [...text.matchAll(/\{([a-zA-Z][\w.]*)\}/g)].map(([, name]) => name ?? '')
    const unexplained = used.filter((name) => !Object.hasOwn(placeholders, name))
    expect(unexplained).toEqual([])
  })
}

function referenceConfiguration({ id, configuration, reference }: AnyProfile) {
  return parseConfiguration(configuration, { profile: id, ...reference.settings() })
}

/** The same declarations with one of them the other way, or left out. */
function variationsOf(declared: Declared): Declared[] {
  return Object.entries(declared).map(([name, value]) => ({
    ...declared,
    [name]: typeof value === 'boolean' ? !value : undefined,
  }))
}

/** The scenarios among these values and in lists of them. */
function scenariosOf(values: readonly unknown[]): AnyScenario[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return scenariosOf(value)
    return isScenario(value) ? [value] : []
  })
}

function isScenario(value: unknown): value is AnyScenario {
  return typeof value === 'object' && value !== null && 'drive' in value && 'checks' in value
}

/** The TypeScript files of a folder that are no tests. */
function sourcesBelow(folder: URL): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(fileURLToPath(folder), path))
    .filter((path) => path.endsWith('.ts') && !ofTests.test(path))
}

function textBelow(folder: URL): string {
  return sourcesBelow(folder)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

function duplicatesOf(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}

/** `rap-oauth/tool` of `rap-oauth/tool/echo-id`. */
function folderOf(id: string): string {
  return id.slice(0, id.lastIndexOf('/'))
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}
