import { expect, test } from 'vitest'

import { readEnvironment } from './environment.ts'

const minimal = {
  OAUTH_ISSUER: 'https://auth.example',
  OAUTH_CLIENT_ID: 'client',
  RESOURCE_URL: 'https://api.example/v1',
  DATA_DIR: '/var/lib/rap-tool',
}

test('needs four variables and assumes the rest', () => {
  const read = readEnvironment({ ...minimal, OAUTH_CLIENT_SECRET: '' })
  if (!read.ok) throw new Error(read.problems.join())
  expect(read.value).toMatchObject({ port: 0, host: '127.0.0.1' })
  expect(read.value.configFor('http://127.0.0.1:1234')).toEqual({
    publicUrl: 'http://127.0.0.1:1234',
    issuer: 'https://auth.example',
    clientId: 'client',
    resourceUrl: 'https://api.example/v1',
    dataDir: '/var/lib/rap-tool',
    pendingTimeoutMs: 600_000,
    upstreamTimeoutMs: 5_000,
  })
})

test('names every problem and no value', () => {
  const read = readEnvironment({
    PORT: 'http',
    OAUTH_ISSUER: 'http://insecure.example',
    RESOURCE_URL: 'https://api.example/?key=value',
    TOKEN_KEY: 'short-secret',
    PENDING_TIMEOUT_MS: '-1',
  })
  expect(read).toEqual({
    ok: false,
    problems: [
      'PORT must be 0 to 65535',
      'OAUTH_ISSUER must be an https URL',
      'OAUTH_CLIENT_ID is required',
      'RESOURCE_URL must have no query and no fragment',
      'DATA_DIR is required',
      'TOKEN_KEY must be 32 bytes in base64url',
      'PENDING_TIMEOUT_MS must be a whole number of milliseconds',
    ],
  })
})
