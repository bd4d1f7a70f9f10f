/** What `aoc run` says about MCP servers that are not ours: one in Python, and what is no MCP server at all. */

import { expect, test } from 'vitest'
import { certify, implementation, marked, requirementsWith } from './run-cli.ts'

const profile = 'mcp-url-elicitation/server'

const env = {
  PORT: '{port}',
  PUBLIC_URL: '{server.url}',
  OAUTH_ISSUER: '{provider.issuer}',
  OAUTH_CLIENT_ID: '{provider.clientId}',
  OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
  OAUTH_SCOPES: '{provider.scopes}',
  RESOURCE_URL: '{resource.url}',
  DATA_DIR: '{data.dir}',
  SSL_CERT_FILE: '{ca.file}',
  PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
  PYTHONDONTWRITEBYTECODE: '1',
}

test('a server in Python, which keeps its tokens unencrypted', { timeout: 180_000 }, async () => {
  const { code, record } = await certify({
    profile,
    implementation: { name: 'python-mcp-server' },
    target: {
      command: ['python3', implementation('python-mcp-server/server.py')],
      authorization: true,
      env,
    },
    tool: { name: 'list_items' },
    timing: { maxWait: '60s' },
    declares: { pendingTimeout: '10s', login: '/login', tokenStore: ['{data.dir}'] },
  })
  expect(requirementsWith(record, 'fail')).toEqual([])
  expect(requirementsWith(record, 'warn')).toEqual(['encrypt-at-rest'])
  expect(requirementsWith(record, 'inconclusive')).toEqual([])
  expect(code).toBe(0)
})

/** Correct ones in unusual ways, and what each is called when it does one thing wrong. */
const unusual = {
  'login-mcp-server': (variant: string) => ({
    profile,
    implementation: { name: 'login-mcp-server' },
    target: {
      command: ['python3', implementation('login-mcp-server/server.py')],
      authorization: true,
      env: { ...env, API_URL: '{resource.url}', VARIANT: variant },
    },
    tool: { name: 'list_items' },
    timing: { maxWait: '60s' },
    declares: { pendingTimeout: '20s', login: '/login', refreshLeeway: '5s' },
  }),
  'stdio-mcp-server': (variant: string) => ({
    profile,
    implementation: { name: 'stdio-mcp-server' },
    target: {
      command: [process.execPath, implementation('stdio-mcp-server/server.mjs')],
      transport: 'stdio',
      env: { ...env, API_URL: '{resource.url}', VARIANT: variant },
    },
    timing: { maxWait: '60s' },
  }),
}

test.each([
  // Its pages have forms, and people log in on the way.
  'login-mcp-server',
  // It has its client call again.
  'stdio-mcp-server',
] as const)('%s is right in an unusual way', { timeout: 300_000 }, async (name) => {
  const { code, record } = await certify(unusual[name](''))
  for (const verdict of ['fail', 'warn', 'inconclusive'])
    expect(requirementsWith(record, verdict), verdict).toEqual([])
  expect(record.failures).toEqual([])
  expect(code).toBe(0)
})

test('over stdio pages may come later than the first answers', { timeout: 180_000 }, async () => {
  const settings = unusual['stdio-mcp-server']('late-pages')
  const { code, record } = await certify(settings, { args: ['--filter', 'connect-and'] })
  expect(requirementsWith(record, 'inconclusive')).toEqual([])
  expect(code).toBe(0)
})

test('who sends its user elsewhere is judged by how it asks', { timeout: 180_000 }, async () => {
  const settings = unusual['stdio-mcp-server']('elsewhere')
  const { code, record } = await certify({ ...settings, declares: { oauthClient: false } })
  for (const verdict of ['fail', 'warn']) expect(requirementsWith(record, verdict)).toEqual([])
  expect(requirementsWith(record, 'pass')).toContain('handle-refusal')
  // What comes after nobody can bring about here.
  expect(requirementsWith(record, 'inconclusive')).toEqual([
    'accept-is-not-done',
    'complete-after',
    'complete-id',
    'complete-to-initiator',
    'error-only-when-needed',
  ])
  expect(code).toBe(3)
})

test.each([
  ['login-mcp-server', 'anyone-opens', 'browser', ['not-preauthenticated', 'same-user']],
  ['login-mcp-server', 'user-in-url', 'clean-url', ['clean-url']],
  ['login-mcp-server', 'by-session', 'foreign-session', ['not-by-session-alone']],
  ['stdio-mcp-server', 'complete-first', 'connect-and', ['complete-after']],
  ['stdio-mcp-server', 'one-id', 'request-valid', ['request-valid']],
  ['stdio-mcp-server', 'asks-anyone', 'gate-mode', ['gate-mode']],
] as const)('%s with %s', { timeout: 180_000 }, async (name, variant, filter, broken) => {
  const { code, record } = await certify(unusual[name](variant), { args: ['--filter', filter] })
  expect(requirementsWith(record, 'fail')).toEqual(broken)
  expect(code).toBe(1)
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
