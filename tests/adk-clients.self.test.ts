/** What `aoc run` says about client applications of ADK that are not ours, and about what is none. */

import { expect, test } from 'vitest'
import { certify, implementation, requirementsWith } from './run-cli.ts'

const profile = 'adk-credential/client'

const python = (variant: string, dialect = 'call') => ({
  profile,
  implementation: { name: 'python-adk-client' },
  target: {
    command: ['python3', implementation('python-adk-client/client.py')],
    env: {
      AGENT_URL: '{agent.url}',
      AGENT_APP: '{agent.app}',
      PYTHONDONTWRITEBYTECODE: '1',
      VARIANT: variant,
    },
  },
  agent: { dialect },
  drive: { stdin: {} },
})

test.each(['call', 'response'])(
  'a client at a terminal, in Python, is right in the dialect of %ss',
  { timeout: 120_000 },
  async (dialect) => {
    const { code, record } = await certify(python('', dialect))
    for (const verdict of ['fail', 'warn', 'inconclusive'])
      expect(requirementsWith(record, verdict), verdict).toEqual([])
    expect(code).toBe(0)
  },
)

test(
  'a client whose user pastes the callback, as in the sample of Google',
  { timeout: 120_000 },
  async () => {
    const { code, record } = await certify({
      ...python('pasted'),
      drive: { stdin: { paste: '{url}' } },
    })
    for (const verdict of ['fail', 'warn', 'inconclusive'])
      expect(requirementsWith(record, verdict), verdict).toEqual([])
    expect(code).toBe(0)
  },
)

test.each([
  ['appends-redirect', ['auth-uri-unaltered']],
  ['opens-anything', ['unsafe-uri-not-opened']],
  ['any-state', ['foreign-state-refused']],
  ['prints-callback', ['code-not-exposed']],
  ['silent-failure', ['failure-shown']],
] as const)('%s warns of %s', { timeout: 120_000 }, async (variant, expected) => {
  const { record } = await certify(python(variant), { args: ['--max-wait', '8s'] })
  expect(requirementsWith(record, 'fail')).toEqual([])
  expect(requirementsWith(record, 'warn')).toEqual(expected)
})

/** Pages for many users, a session for each room, and a callback path for each request. */
const node = (variant: string, dialect = 'call') => ({
  profile,
  implementation: { name: 'node-adk-client' },
  target: {
    command: [process.execPath, implementation('node-adk-client/server.mjs')],
    env: {
      PORT: '{port}',
      AGENT_URL: '{agent.url}',
      AGENT_APP: '{agent.app}',
      CONSENT_BEGIN: '{agent.consentBegin}',
      CONSENT_COMPLETE: '{agent.consentComplete}',
      VARIANT: variant,
    },
  },
  agent: { dialect },
  drive: {
    http: {
      message: { path: '/say', body: { room: '{conversation}', who: '{user}', text: '{text}' } },
      surface: [{ poll: { path: '/room/{conversation}' } }],
    },
  },
})

test.each(['call', 'response'])(
  'a client with pages, in Node, is right in the dialect of %ss',
  { timeout: 120_000 },
  async (dialect) => {
    const { code, record } = await certify(node('', dialect))
    for (const verdict of ['fail', 'warn', 'inconclusive'])
      expect(requirementsWith(record, verdict), verdict).toEqual([])
    expect(code).toBe(0)
  },
)

test.each([
  ['appends-parameters', [], ['auth-uri-unaltered']],
  ['only-no-scripts', [], ['unsafe-uri-not-opened']],
  ['answers-again', [], ['answered-once']],
] as const)('%s is noticed', { timeout: 120_000 }, async (variant, failed, warned) => {
  const { record } = await certify(node(variant), { args: ['--max-wait', '8s'] })
  expect(requirementsWith(record, 'fail')).toEqual(failed)
  expect(requirementsWith(record, 'warn')).toEqual(warned)
})

/** What does nothing, or everything at once, passes no more than it did. */
test.each([
  ['never asks the agent', 'never-calls', { pass: [], fail: [] }],
  ['ignores what the agent says', 'ignores-events', { pass: [], fail: ['request-detected'] }],
  [
    'answers everything at once, without its user',
    'asks-nobody',
    {
      pass: ['answer-carries-auth-config', 'same-session'],
      fail: ['no-answer-before-callback', 'request-detected'],
    },
  ],
] as const)('a client that %s', { timeout: 120_000 }, async (_, variant, expected) => {
  const { code, record } = await certify(python(variant), { args: ['--max-wait', '8s'] })
  expect({
    pass: requirementsWith(record, 'pass'),
    fail: requirementsWith(record, 'fail'),
  }).toEqual(expected)
  expect(record.failures).toEqual([])
  expect(code).toBe(expected.fail.length > 0 ? 1 : 3)
})
