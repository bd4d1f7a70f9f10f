/** What `aoc run` says about agent applications of ADK that are not ours. */

import { expect, test } from 'vitest'
import { certify, implementation, requirementsWith } from './run-cli.ts'

const env = {
  PORT: '{port}',
  DATA_DIR: '{data.dir}',
  CA_FILE: '{ca.file}',
  AUTHORIZATION_ENDPOINT: '{provider.authorizationEndpoint}',
  TOKEN_ENDPOINT: '{provider.tokenEndpoint}',
  ISSUER: '{provider.issuer}',
  CLIENT_ID: '{provider.clientId}',
  CLIENT_SECRET: '{provider.clientSecret}',
  RESOURCE_URL: '{resource.url}',
  REDIRECT_URL: '{redirect.url}',
}

/** By calls, with tokens in sqlite, and one request after the other. */
const python = (variant: string) => ({
  profile: 'adk-credential/agent',
  implementation: { name: 'python-adk-agent' },
  target: {
    command: ['python3', implementation('python-adk-agent/agent.py')],
    env: { ...env, MODEL: '{model.origin}', VARIANT: variant },
  },
  provider: { client: { auth: ['client_secret_basic'] } },
  operation: { name: 'list_items', scopes: ['items:read'] },
  others: { otherCredential: { name: 'add_item' }, open: { name: 'clock' } },
  declares: { durable: true, refreshLeeway: '75s' },
})

/** By responses, with a model behind OpenAI's wire, and everything in one encrypted file. */
const node = (variant: string) => ({
  profile: 'adk-credential/agent',
  implementation: { name: 'node-adk-agent' },
  target: {
    command: [process.execPath, implementation('node-adk-agent/server.mjs')],
    env: { ...env, MODEL: '{model.url}', STORE_KEY: 'a key for the store', VARIANT: variant },
  },
  provider: { client: { auth: ['client_secret_post'] } },
  api: { consent: { begin: '/oauth/begin', complete: '/oauth/complete' } },
  operation: { name: 'list_items', scopes: ['items:read'] },
  others: { otherCredential: { name: 'add_item' }, open: { name: 'dice' } },
  declares: { durable: true, refreshLeeway: '60s', tokenStore: ['{data.dir}'] },
})

test.each([
  ['in Python, by calls', python('')],
  ['in Node, by responses', node('')],
])('an agent %s is right', { timeout: 240_000 }, async (_, configuration) => {
  const { code, record } = await certify(configuration)
  for (const verdict of ['fail', 'warn', 'inconclusive'])
    expect(requirementsWith(record, verdict), verdict).toEqual([])
  expect(code).toBe(0)
})

test.each([
  // It looks for the state in the text of the callback, where it may stand encoded.
  ['state-anywhere', python, ['exchange-code'], ['ignore-forged-callback', 'validate-state']],
  ['exchanges-again', python, [], ['code-used-once']],
  [
    'makes-up-results',
    python,
    [],
    [
      'bare-code-refused',
      'callback-location-checked',
      'ignore-forged-callback',
      'report-authorization-error',
      'report-denial',
      'report-exchange-error',
      'report-invalid-code',
      'state-from-own-record',
    ],
  ],
  ['any-id', node, ['answer-id-matches'], []],
  ['keeps-flows', node, [], ['code-used-once', 'state-single-use']],
  ['denial-is-pending', node, [], ['report-denial']],
] as const)('%s is noticed', { timeout: 240_000 }, async (variant, of, failed, warned) => {
  const { record } = await certify(of(variant))
  expect(requirementsWith(record, 'fail')).toEqual(failed)
  expect(requirementsWith(record, 'warn')).toEqual(warned)
})
