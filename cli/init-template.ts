/** Writes a configuration to start from: every setting of the profile with its description and default. */

import { z } from 'zod'
import type { AnyProfile } from '../harness/index.ts'
import { recordOf, type UnknownRecord } from './unknown.ts'

/** What stands in the file from the beginning; the rest is there as a comment. */
export function startingSettings(profile: AnyProfile): UnknownRecord {
  const implementation = { name: 'my implementation', version: '0.0.0' }
  const role = profile.id.endsWith('/runtime') ? runtimeSettings : toolSettings
  return { profile: profile.id, implementation, ...role }
}

const toolSettings = {
  target: {
    command: ['node', 'server.js'],
    env: {
      PORT: '{port}',
      PUBLIC_URL: '{tool.url}',
      OAUTH_ISSUER: '{provider.issuer}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      RESOURCE_URL: '{resource.url}',
      DATA_DIR: '{data.dir}',
    },
  },
}

const runtimeSettings = {
  target: {
    command: ['node', 'server.js'],
    env: {
      PORT: '{port}',
      PUBLIC_URL: '{runtime.url}',
      TOOLSETS: '{toolset.url},{toolset2.url}',
      OPENAI_BASE_URL: '{model.url}',
      OPENAI_API_KEY: '{model.key}',
      MODEL: '{model.name}',
      DATA_DIR: '{data.dir}',
    },
  },
  messages: {
    http: { path: '/message', body: { conversation: '{conversation}', text: '{text}' } },
  },
  surface: [{ poll: { path: '/conversations/{conversation}' } }],
}

/** Values to show where there is no default, by path. */
const examples: Readonly<Record<string, unknown>> = {
  'target.cwd': '..',
  'target.module': './handler.js',
  'target.endpoint': '/invoke',
  'target.ca': './ca.pem',
  'provider.authority': './conformance-ca',
  'provider.client.secret': 'at-least-sixteen-characters',
  'provider.client.auth': ['client_secret_basic'],
  'provider.client.redirectUris': ['http://127.0.0.1:8080/oauth/callback'],
  'operation.name': 'list_items',
  'operation.scopes': ['items:read'],
  'declares.pendingTimeout': '10s',
  'declares.tokenStore': ['{data.dir}'],
  'declares.logs': ['./server.log'],
}

const head = `// Certify with: aoc run --config FILE
//
// A path is relative to this file. A duration is a number of milliseconds or a text such as '500ms', '10s', '5m'.
// Placeholders in target.command, target.env and target.headers:
//   {port} {tool.url} {data.dir} {ca.file} {resource.url} {provider.issuer} {provider.clientId}
//   {provider.clientSecret} {provider.authorizationEndpoint} {provider.tokenEndpoint} {provider.scopes}
//   for a runtime: {port} {runtime.url} {data.dir} {toolset.url} {toolset2.url} {model.url} {model.origin}
//   {model.key} {model.name} {webhook.url} {user.timeoutMs}
//   {env.NAME} is the variable NAME of the environment in which aoc runs.
// The certificate authority of the provider is made for the run; NODE_EXTRA_CA_CERTS, SSL_CERT_FILE,
// REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE are set for a command, so that it trusts that authority.
//
// To certify something that runs already, replace command and env by:
//   url: 'http://127.0.0.1:8080',
// and give provider.port and provider.authority fixed values, so that it can be configured once.
`

/** The text of a TypeScript configuration file. */
export function configurationTemplate(profile: AnyProfile): string {
  const settings = startingSettings(profile)
  const schema = z.toJSONSchema(profile.configuration, { io: 'input', unrepresentable: 'any' })
  const resolved = recordOf(profile.configuration.parse(settings))
  const lines = memberLines(recordOf(schema), { settings, resolved, path: [], indent: '  ' })
  return `${head}\nexport default {\n${lines.join('\n')}\n}\n`
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
  const fallback = examples[path.join('.')] ?? resolved[key]
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
