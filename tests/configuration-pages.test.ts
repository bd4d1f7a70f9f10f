/**
 * `docs/configuration.md` and `docs/configuration.schema.json` are the settings as they are in the code. To write them anew:
 * npx vitest run tests/configuration-pages.test.ts -u
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { profiles } from '../suites/registry.ts'

type Json = Readonly<Record<string, unknown>>
type Parser = 'markdown' | 'json'

const schemas = profiles.map(({ id, configuration, start }) => ({
  id,
  /** With every default, those included that a schema has turned into milliseconds. */
  resolved: configuration.parse({ profile: id, implementation: { name: 'x' }, ...start }) as Json,
  schema: z.toJSONSchema(configuration, { io: 'input', unrepresentable: 'any' }) as Json,
}))

test('docs/configuration.schema.json is up to date', async () => {
  await expectFile('configuration.schema.json', JSON.stringify(published()), 'json')
})

test('docs/configuration.md is up to date', async () => {
  await expectFile('configuration.md', page(), 'markdown')
})

test('the published schema takes what a profile starts with, and refuses a setting that there is not', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const takes = ajv.compile(published())
  for (const { id, reference } of profiles) {
    const settings = { ...reference.settings(), profile: id }
    expect([id, takes(settings), takes.errors]).toEqual([id, true, null])
    expect(takes({ ...settings, unheardOf: 1 })).toBe(false)
  }
  expect(takes({ profile: 'rap-oauth/nobody' })).toBe(false)
})

async function expectFile(name: string, text: string, parser: Parser): Promise<void> {
  const options = await resolveConfig(new URL(`../docs/${name}`, import.meta.url))
  const formatted = await format(text, { ...options, parser })
  await expect(formatted).toMatchFileSnapshot(`../docs/${name}`)
}

/** One schema for the files of all profiles, told apart by `profile`. */
function published(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of agent-oauth-conformance',
    type: 'object',
    required: ['profile'],
    properties: { profile: { enum: schemas.map(({ id }) => id) } },
    oneOf: schemas.map(({ schema }) => {
      const { $schema: _, ...own } = schema
      return forEditors(own)
    }),
  }
}

/** Without what the command line alone reads; what a flag says helps an editor, too. */
function forEditors(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forEditors)
  if (!isObject(value)) return value
  // Of an object, members may be called as our notes are.
  if (isObject(value['properties'])) {
    const properties = Object.entries(value['properties']).map(([name, each]) => [
      name,
      forEditors(each),
    ])
    const { properties: _, ...rest } = value
    return { ...(forEditors(rest) as Json), properties: Object.fromEntries(properties) as Json }
  }
  const { flag: _, reads: __, help, example, ...rest } = value
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, forEditors(each)])),
    ...(help !== undefined && rest['description'] === undefined ? { description: help } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  }
}

const head = `# Configuration

Written from the code; a test compares. A file is JSON, or a TypeScript or JavaScript module with a default export; \`aoc init
--profile PROFILE\` writes one in which everything is explained. Editors complete and check JSON that names the schema:

\`\`\`json
{ "$schema": "./node_modules/agent-oauth-conformance/docs/configuration.schema.json", "profile": "rap-oauth/tool" }
\`\`\`

Paths are relative to the file. A duration is a number of milliseconds or a text such as \`500ms\`, \`10s\`, \`5m\`. \`{env.NAME}\` is
the variable NAME of the environment in which \`aoc\` runs.
`

interface Row {
  readonly path: string
  readonly text: string
}

function page(): string {
  const rows = schemas.map(({ id, schema, resolved }) => ({ id, rows: rowsOf(schema, resolved) }))
  const [first] = rows
  const isCommon = ({ path, text }: Row): boolean =>
    path !== 'profile' &&
    rows.every((each) => each.rows.some((row) => row.path === path && row.text === text))
  const sections = [
    section('Every profile', first?.rows.filter(isCommon) ?? []),
    ...rows.map(({ id, rows: own }) =>
      section(
        `\`${id}\``,
        own.filter((row) => row.path !== 'profile' && !isCommon(row)),
        placeholdersOf(id),
      ),
    ),
  ]
  return [head, ...sections].join('\n')
}

function section(title: string, rows: readonly Row[], after: readonly string[] = []): string {
  const lines = rows.map(({ path, text }) => `- \`${path}\`: ${text}`)
  return [`## ${title}\n`, ...lines, '', ...after, ''].join('\n')
}

function placeholdersOf(profile: string): readonly string[] {
  const { placeholders = {} } = profiles.find(({ id }) => id === profile) ?? {}
  const lines = Object.entries(placeholders).map(([name, meaning]) => `- \`{${name}}\`: ${meaning}`)
  return lines.length === 0 ? [] : ['What may stand in braces:\n', ...lines]
}

/** A row for each setting; those of an object stand under its path. */
function rowsOf(schema: Json, resolved: Json, above = ''): readonly Row[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, member]) => {
      const path = above + name
      if (!isObject(member)) return []
      const value = resolved[name]
      if (isObject(member['properties']))
        return rowsOf(member, isObject(value) ? value : {}, `${path}.`)
      const fallback = member['default'] ?? duration(member, value)
      return [{ path, text: textOf({ ...member, default: fallback }, required.includes(name)) }]
    })
}

function textOf(member: Json, required: boolean): string {
  const { description, help, flag, enum: choices, default: fallback, example } = member
  const said = description ?? help
  const sentence = typeof said === 'string' ? capital(said) : ''
  const notes = [
    ...(required ? ['required'] : []),
    ...(Array.isArray(choices) ? [`one of ${choices.map(code).join(', ')}`] : []),
    ...(isPlain(fallback) ? [`default ${code(fallback)}`] : []),
    ...(example === undefined ? [] : [`for example ${code(example)}`]),
    ...(typeof flag === 'string' ? [`on the command line ${code(flag)}`] : []),
  ]
  return [sentence.replace(/\.?$/, '.'), ...(notes.length > 0 ? [`(${notes.join('; ')})`] : [])]
    .filter((part) => part !== '.')
    .join(' ')
}

/** What a person writes for a default in milliseconds. */
function duration({ type }: Json, value: unknown): string | undefined {
  if (type !== undefined || typeof value !== 'number') return undefined
  return value % 1000 === 0 ? `${value / 1000}s` : `${value}ms`
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
