/** What does nothing, or stops doing anything, passes nothing: for both roles, through the built package. */

import { expect, test } from 'vitest'
import { certify, marked, requirementsWith } from './run-cli.ts'
import { brokenRuntime, silentRuntime } from './runtimes.ts'
import { silent as silentTool } from './third-party.ts'

/** Kinds of servers that answer every request alike, or none. */
const servers = {
  '404': 'answers 404',
  '401': 'answers 401',
  '200': 'answers 200 {}',
  accept: 'never answers',
  exit: 'exits after its first answer',
  garbage: 'answers with bytes that are no HTTP',
  slow: 'answers one character a second',
} as const

const table = [
  ...Object.entries(servers).flatMap(([kind, what]) => [
    ['tool', kind, what, silentTool(kind)] as const,
    ['runtime', kind, what, silentRuntime(kind)] as const,
  ]),
  [
    'tool',
    'crash-on-callback',
    'dies when the user comes back',
    silentTool('crash-on-callback'),
  ] as const,
  ['runtime', 'mute', 'takes messages and does nothing', brokenRuntime('mute')] as const,
  ['runtime', 'no-tool', 'answers its user without the tool', brokenRuntime('no-tool')] as const,
  ['runtime', 'crash', 'dies on an oauth message', brokenRuntime('crash')] as const,
]

test.concurrent.each(table)(
  'a %s of the kind %s, which %s',
  { timeout: 180_000 },
  async (_role, _kind, _what, settings) => {
    const { configuration, running } = marked(settings)
    // A server that acknowledges everything is waited for as long as the run waits for anything.
    const { code, record } = await certify(configuration, { args: ['--max-wait', '6s'] })
    expect(requirementsWith(record, 'pass')).toEqual([])
    expect(record.findings.length).toBeGreaterThan(100)
    expect(record.failures).toEqual([])
    expect([1, 3]).toContain(code)
    expect(running()).toEqual([])
  },
)
