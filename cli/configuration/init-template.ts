/** Writes a configuration to start from: every setting of the profile with its description and default. */

import { z } from 'zod'
import type { AnyProfile } from '../../harness/engine/index.ts'
import { recordOf, type UnknownRecord } from '../input/unknown.ts'

/** What stands in the file from the beginning; the rest is there as a comment. */
export function startingSettings({ id, start }: AnyProfile): UnknownRecord {
  const implementation = { name: 'my implementation', version: '0.0.0' }
  return { profile: id, implementation, ...start }
}

const authority = `// The certificate authority of a provider is made for the run; NODE_EXTRA_CA_CERTS, SSL_CERT_FILE,
// REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE are set for a command, so that it trusts that authority.
`

const head = (
  placeholders: Readonly<Record<string, string>>,
): string => `// Certify with: aoc run --config FILE
//
// A path is relative to this file. A duration is a number of milliseconds or a text such as '500ms', '10s', '5m'.
// Placeholders in target.command, target.env and target.headers:
${Object.entries(placeholders)
  .map(([name, meaning]) => `//   {${name}}: ${meaning}`)
  .join('\n')}
//   {env.NAME}: the variable NAME of the environment in which aoc runs
${'ca.file' in placeholders ? authority : ''}//
// To certify something that runs already, replace command and env by:
//   url: 'http://127.0.0.1:8080',
// and give the ports of what it is told about fixed values, so that it can be configured once.
`

/** The text of a TypeScript configuration file. */
export function configurationTemplate(profile: AnyProfile): string {
  const settings = startingSettings(profile)
  const schema = z.toJSONSchema(profile.configuration, { io: 'input', unrepresentable: 'any' })
  const resolved = recordOf(profile.configuration.parse(settings))
  const lines = memberLines(recordOf(schema), { settings, resolved, path: [], indent: '  ' })
  return `${head(profile.placeholders)}\nexport default {\n${lines.join('\n')}\n}\n`
}

interface Place {
  readonly settings: UnknownRecord
  /** The same with every default. */
  readonly resolved: UnknownRecord
  readonly path: readonly string[]
  readonly indent: string
}

/** The members of an object of the JSON schema. */
function memberLines(schema: UnknownRecord, place: Place): string[] {
  return Object.entries(recordOf(schema['properties']))
    .filter(([key]) => key !== '$schema')
    .flatMap(([key, member]) => [
      ...note(recordOf(member), place.indent),
      ...memberOf(key, recordOf(member), place),
    ])
}

function memberOf(key: string, schema: UnknownRecord, place: Place): string[] {
  const { settings, resolved, indent } = place
  const path = [...place.path, key]
  if (schema['properties']) {
    const inner = {
      settings: recordOf(settings[key]),
      resolved: recordOf(resolved[key]),
      path,
      indent: `${indent}  `,
    }
    return [`${indent}${key}: {`, ...memberLines(schema, inner), `${indent}},`]
  }
  if (key in settings) return [`${indent}${key}: ${literal(settings[key], indent)},`]
  const fallback = schema['example'] ?? resolved[key]
  const shown = schema['default'] ?? duration(schema, resolved[key]) ?? fallback
  return [`${indent}// ${key}: ${literal(shown, `${indent}// `)},`]
}

function note({ description, enum: values }: UnknownRecord, indent: string): string[] {
  const choices = Array.isArray(values)
    ? `One of ${values.map((value) => literal(value, '')).join(', ')}.`
    : ''
  const text = [description, choices].filter(Boolean).join(' ')
  return text ? [`${indent}// ${text}`] : []
}

/** A default that the schema has turned into milliseconds, as a person writes it. */
function duration({ type }: UnknownRecord, value: unknown): string | undefined {
  if (type !== undefined || typeof value !== 'number') return undefined
  return value % 1000 === 0 ? `${value / 1000}s` : `${value}ms`
}

/** A TypeScript literal in the style of this project. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') {
    return value.includes("'") || value.includes('\\') ? JSON.stringify(value) : `'${value}'`
  }
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const members = Object.entries(value).map(
    ([key, item]) =>
      `${indent}  ${/^[a-z_$][\w$]*$/i.test(key) ? key : `'${key}'`}: ${literal(item, `${indent}  `)},`,
  )
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n${indent}}`
}
