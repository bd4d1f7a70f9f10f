import { expect, test } from 'vitest'

import { conformance } from './conformance.ts'
import { readEnvironment } from './environment.ts'

const minimal = {
  OAUTH_ISSUER: 'https://auth.example',
  OAUTH_CLIENT_ID: 'client',
  RESOURCE_URL: 'https://api.example/v1',
  DATA_DIR: '/var/lib/items-server',
}

test('needs four variables and assumes the rest', () => {
  const read = readEnvironment({ ...minimal, OAUTH_CLIENT_SECRET: '' })
  if (!read.ok) throw new Error(read.problems.join())
  expect(read.value).toMatchObject({ transport: 'http', port: 0, host: '127.0.0.1' })
  expect(read.value.configFor('http://127.0.0.1:1234')).toEqual({
    publicUrl: 'http://127.0.0.1:1234',
    issuer: 'https://auth.example',
    clientId: 'client',
    scopes: ['items:read'],
    resourceUrl: 'https://api.example/v1',
    dataDir: '/var/lib/items-server',
    authorization: 'required',
    pendingTimeoutMs: 600_000,
    upstreamTimeoutMs: 5_000,
  })
})

test('has no MCP authorization over stdio', () => {
  const read = readEnvironment({ ...minimal, TRANSPORT: 'stdio', MCP_AUTHORIZATION: 'required' })
  if (!read.ok) throw new Error(read.problems.join())
  expect(read.value.configFor('http://127.0.0.1:1')).toMatchObject({ authorization: 'none' })
})

test('names every problem and no value', () => {
  const read = readEnvironment({
    TRANSPORT: 'pigeon',
    PORT: 'http',
    OAUTH_ISSUER: 'http://insecure.example',
    RESOURCE_URL: 'https://api.example/?key=value',
    TOKEN_KEY: 'short-secret',
    MCP_AUTHORIZATION: 'perhaps',
    PENDING_TIMEOUT_MS: '-1',
  })
  expect(read).toEqual({
    ok: false,
    problems: [
      'TRANSPORT must be http or stdio',
      'PORT must be 0 to 65535',
      'OAUTH_ISSUER must be an https URL',
      'OAUTH_CLIENT_ID is required',
      'RESOURCE_URL must have no query and no fragment',
      'DATA_DIR is required',
      'TOKEN_KEY must be 32 bytes in base64url',
      'MCP_AUTHORIZATION must be required or none',
      'PENDING_TIMEOUT_MS must be a whole number of milliseconds',
    ],
  })
})

test('knows every variable that a conformance run sets', () => {
  const filled = {
    '{port}': '4000',
    '{server.url}': 'http://127.0.0.1:4000',
    '{provider.issuer}': 'https://auth.example',
    '{resource.url}': 'https://api.example',
    '{pendingTimeoutMs}': '5000',
  }
  const env = Object.entries(conformance.target.env).map(([name, value]) => [
    name,
    Object.entries(filled).find(([placeholder]) => placeholder === value)?.[1] ?? value,
  ])
  expect(readEnvironment(Object.fromEntries(env))).toMatchObject({ ok: true })
})
