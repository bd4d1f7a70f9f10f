/** ADK agents that do nothing pass nothing; one that pauses for ever passes no more than what is asked of pausing. */

import { expect, test } from 'vitest'
import { certify, implementation, requirementsWith } from './run-cli.ts'

const configurationOf = (kind: string) => ({
  profile: 'adk-credential/agent',
  implementation: { name: kind },
  target: {
    command: [process.execPath, implementation('null-agent/server.mjs'), kind],
    env: {
      PORT: '{port}',
      MODEL_URL: '{model.origin}',
      AUTHORIZATION_ENDPOINT: '{provider.authorizationEndpoint}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      REDIRECT_URI: '{redirect.url}',
    },
  },
  operation: { name: 'list_items', scopes: ['items:read'] },
})

/** What is asked of the way up to the pause, which it does right. */
const ofPausing = [
  'authorization-request-valid',
  'minimum-scopes',
  'request-before-result',
  'request-carries-auth-config',
  'request-long-running',
  'request-names-paused-call',
  'request-scopes',
  'state-unpredictable',
]

test.concurrent.each([
  ['text', []],
  ['error', []],
  ['pause', ofPausing],
])('an agent of the kind %s', { timeout: 180_000 }, async (kind, passed) => {
  const { code, record } = await certify(configurationOf(kind), { args: ['--max-wait', '6s'] })
  expect(requirementsWith(record, 'pass')).toEqual(passed)
  expect(record.findings.length).toBeGreaterThan(100)
  expect(record.failures).toEqual([])
  expect([1, 3]).toContain(code)
})
