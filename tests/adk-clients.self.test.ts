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
