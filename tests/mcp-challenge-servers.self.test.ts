/** What `aoc run` says about MCP servers that challenge in tool results and are not ours, and about what is none. */

import { expect, test } from 'vitest'
import { certify, implementation, marked, requirementsWith } from './run-cli.ts'

const profile = 'mcp-auth-challenge/server'

const python = (variant: string) => ({
  profile,
  implementation: { name: 'python-challenge-server' },
  target: {
    command: ['python3', implementation('python-challenge-server/server.py')],
    env: {
      PORT: '{port}',
      PUBLIC_URL: '{server.url}',
      OAUTH_ISSUER: '{provider.issuer}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      SSL_CERT_FILE: '{ca.file}',
      PYTHONDONTWRITEBYTECODE: '1',
      VARIANT: variant,
    },
  },
  tool: { name: 'my_recipes' },
})

test.each([
  ['a correct one', '', { fail: [], warn: [] }],
  [
    'one whose metadata names another resource',
    'another-resource',
    {
      fail: ['metadata-covers-endpoint'],
      warn: [],
    },
  ],
  [
    'one that challenges certain clients only',
    'sniffs-user-agent',
    {
      fail: [],
      warn: ['every-caller'],
    },
  ],
  [
    'one that believes X-Forwarded-Host',
    'trusts-forwarded-host',
    {
      fail: [],
      warn: ['not-misleading'],
    },
  ],
  ['one that takes tokens for others', 'not-for-audience', { fail: [], warn: ['enforce'] }],
] as const)('a server in Python: %s', { timeout: 120_000 }, async (_, variant, expected) => {
  const { code, record } = await certify(python(variant))
  expect({
    fail: requirementsWith(record, 'fail'),
    warn: requirementsWith(record, 'warn'),
  }).toEqual(expected)
  const isElsewhere = variant === 'another-resource'
  const unproven = isElsewhere ? ['metadata-exact'] : []
  expect(requirementsWith(record, 'inconclusive')).toEqual(unproven)
  expect(code).toBe(isElsewhere ? 1 : 0)
})

test('a plain server of 2026-07-28 alone', { timeout: 120_000 }, async () => {
  const { code, record } = await certify({
    profile,
    implementation: { name: 'plain-challenge-server' },
    target: {
      command: [process.execPath, implementation('plain-challenge-server/server.mjs')],
      endpoint: '/tenants/1/mcp',
      revision: '2026-07-28',
      env: { PORT: '{port}', PUBLIC_URL: '{server.url}', OAUTH_ISSUER: '{provider.issuer}' },
    },
    // It knows ES256 alone.
    provider: { tokenFormat: 'jwt', tokenSigningAlg: 'ES256' },
    tool: { name: 'list_files' },
  })
  for (const verdict of ['fail', 'warn', 'inconclusive'])
    expect(requirementsWith(record, verdict), verdict).toEqual([])
  expect(code).toBe(0)
})

/** Kinds of servers that answer every request alike, or none. */
const servers = {
  '404': 'answers 404',
  '401': 'answers 401',
  '200': 'answers 200 {}',
  accept: 'never answers',
  exit: 'exits after its first answer',
  garbage: 'answers with bytes that are no HTTP',
} as const

test.concurrent.each(Object.entries(servers))(
  'what is of the kind %s and %s passes nothing',
  async (kind) => {
    const { configuration, running } = marked({
      profile,
      implementation: { name: kind },
      target: {
        command: [process.execPath, implementation('broken/silent.mjs'), kind],
        env: { PORT: '{port}' },
        readyTimeout: '3s',
      },
      timing: { step: '3s' },
    })
    const { code, record } = await certify(configuration, { args: ['--max-wait', '6s'] })
    expect(requirementsWith(record, 'pass')).toEqual([])
    expect(record.findings.length).toBeGreaterThan(20)
    expect(record.failures).toEqual([])
    expect([1, 3]).toContain(code)
    expect(running()).toEqual([])
  },
)
