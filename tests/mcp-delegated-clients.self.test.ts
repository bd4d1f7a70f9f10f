/** What `aoc run` says about MCP clients that authorize servers and are not ours, and about what hardly is one. */

import { expect, test } from 'vitest'
import { certify, implementation, marked, requirementsWith } from './run-cli.ts'

const settings = (name: string, ...command: readonly string[]) => ({
  profile: 'mcp-delegated-authorization/client',
  implementation: { name },
  target: { command },
  drive: {
    terminal: {
      call: '{tool} {arguments}',
      prompt: 'Continuer ? [oui/non]',
      accept: 'oui',
      decline: 'non',
    },
  },
})

test.each([
  ['a correct one', '', { fail: [], warn: [] }],
  [
    'one that returns whatever comes',
    'returns-anything',
    { fail: ['validate-callback'], warn: [] },
  ],
  ['one that listens everywhere', 'listens-everywhere', { fail: [], warn: ['loopback-only'] }],
] as const)('a plain client in Node: %s', { timeout: 180_000 }, async (_, variant, expected) => {
  const program = implementation('plain-delegated-client/client.mjs')
  const { code, record } = await certify({
    ...settings('plain-delegated-client', process.execPath, program, '{mcp.url}', variant),
    timing: { maxWait: '60s' },
  })
  expect(requirementsWith(record, 'fail')).toEqual(expected.fail)
  expect(requirementsWith(record, 'warn')).toEqual(expected.warn)
  expect(requirementsWith(record, 'inconclusive')).toEqual([])
  expect(code).toBe(expected.fail.length > 0 ? 1 : 0)
})

test.each([
  ['a correct one', '', []],
  ['one that loses parameters', 'drops-empty-parameters', ['open-complete-url']],
  ['one that takes a path for another', 'path-begins-alike', ['validate-callback']],
] as const)('a plain client in Python: %s', { timeout: 180_000 }, async (_, variant, wrong) => {
  const program = implementation('python-delegated-client/client.py')
  const { code, record } = await certify({
    ...settings('python-delegated-client', 'python3', program, '{mcp.url}', variant),
    drive: {
      terminal: { call: 'call {tool} {arguments}', prompt: '? [o/n]', accept: 'o', decline: 'n' },
    },
    timing: { maxWait: '60s' },
  })
  expect(requirementsWith(record, 'fail')).toEqual(wrong)
  expect(requirementsWith(record, 'warn')).toEqual([])
  expect(requirementsWith(record, 'inconclusive')).toEqual([])
  expect(code).toBe(wrong.length > 0 ? 1 : 0)
})

test.concurrent.each([
  ['exits at once', 'process.exit(0)'],
  ['exits when it is spoken to', "process.stdin.once('data', () => process.exit(1))"],
  ['says nothing', 'process.stdin.resume()'],
  [
    'asks its user at once and never connects',
    "process.stdin.on('data', () => console.log('Continuer ? [oui/non]'))",
  ],
])('a client that %s passes nothing', { timeout: 180_000 }, async (name, program) => {
  const { configuration, running } = marked(settings(name, process.execPath, '-e', program))
  const { code, record } = await certify(configuration, { args: ['--max-wait', '6s'] })
  expect(requirementsWith(record, 'pass')).toEqual([])
  expect(record.findings.length).toBeGreaterThan(20)
  expect(record.failures).toEqual([])
  expect(code).toBe(3)
  expect(running()).toEqual([])
})

test('revision 2026-07-28 cannot express it, and that is said once', async () => {
  const { target, ...others } = settings('any', 'true')
  const said = await certify({ ...others, target: { ...target, revision: '2026-07-28' } }).then(
    () => '',
    String,
  )
  expect(said.match(/cannot be expressed/g)).toHaveLength(1)
})
