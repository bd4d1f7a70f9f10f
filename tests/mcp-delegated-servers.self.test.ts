/** What `aoc run` says about MCP servers that have clients authorize them and are not ours, and about what is none. */

import { expect, test } from 'vitest'
import { certify, implementation, marked, requirementsWith } from './run-cli.ts'

const profile = 'mcp-delegated-authorization/server'

const python = (variant: string) => ({
  profile,
  implementation: { name: 'python-delegated-server' },
  target: {
    command: ['python3', implementation('python-delegated-server/server.py')],
    transport: 'stdio',
    env: {
      OAUTH_ISSUER: '{provider.issuer}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      REDIRECT_URI: '{redirect.url}',
      RESOURCE_URL: '{resource.url}',
      SSL_CERT_FILE: '{ca.file}',
      PENDING_SECONDS: '15',
      PYTHONDONTWRITEBYTECODE: '1',
      VARIANT: variant,
    },
  },
  declares: { pendingTimeout: '15s', refreshTokens: false },
})

test.each([
  ['a correct one', '', []],
  ['one that does not look at the state', 'ignores-state', ['state-single-use', 'validate-state']],
  ['one that asks any client', 'asks-anybody', ['gate-capability']],
] as const)(
  'a server in Python, over stdio: %s',
  { timeout: 180_000 },
  async (_, variant, fail) => {
    const { code, record } = await certify(python(variant))
    expect(requirementsWith(record, 'fail')).toEqual(fail)
    const forgery = variant === 'ignores-state' ? ['ignore-forged-callback'] : []
    expect(requirementsWith(record, 'warn')).toEqual(forgery)
    expect(requirementsWith(record, 'inconclusive')).toEqual([])
    expect(code).toBe(fail.length > 0 ? 1 : 0)
  },
)

/** Kinds of servers that answer every request alike, or none. */
const servers = {
  '404': 'answers 404',
  '401': 'answers 401',
  '200': 'answers 200 {}',
  accept: 'never answers',
  exit: 'exits after its first answer',
  garbage: 'answers with bytes that are no HTTP',
} as const

test.concurrent.each([
  ...Object.entries(servers).map(([kind, what]) => ['http', kind, what] as const),
  ['stdio', '404', 'says nothing'] as const,
])('over %s, what is of the kind %s and %s passes nothing', async (transport, kind) => {
  const { configuration, running } = marked({
    profile,
    implementation: { name: kind },
    target: {
      command: [process.execPath, implementation('broken/silent.mjs'), kind],
      transport,
      env: { PORT: '{port}' },
      readyTimeout: '3s',
    },
    timing: { step: '3s' },
  })
  const { code, record } = await certify(configuration, { args: ['--max-wait', '6s'] })
  expect(requirementsWith(record, 'pass')).toEqual([])
  expect(record.findings.length).toBeGreaterThan(100)
  expect(record.failures).toEqual([])
  expect([1, 3]).toContain(code)
  expect(running()).toEqual([])
})

test('revision 2026-07-28 cannot express it, and that is said once', async () => {
  const { target, ...others } = python('')
  const said = await certify({ ...others, target: { ...target, revision: '2026-07-28' } }).then(
    () => '',
    String,
  )
  expect(said.match(/cannot be expressed/g)).toHaveLength(1)
})
