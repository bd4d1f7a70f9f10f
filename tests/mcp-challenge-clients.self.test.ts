/** What `aoc run` says about MCP clients of challenges that are not ours: a plain one, and what hardly is one. */

import { expect, test } from 'vitest'
import { certify, implementation, marked, requirementsWith } from './run-cli.ts'

const profile = 'mcp-auth-challenge/client'

const settings = (name: string, ...command: readonly string[]) => ({
  profile,
  implementation: { name },
  target: {
    command,
    env: { CLIENT_ID: '{provider.clientId}', CLIENT_SECRET: '{provider.clientSecret}' },
  },
  drive: { terminal: { call: '{tool} {arguments}' } },
})

const plain = (variant: string) => {
  const program = implementation('plain-challenge-client/client.mjs')
  const { target, ...rest } = settings('plain', process.execPath, program, '{mcp.url}')
  return { ...rest, target: { ...target, env: { ...target.env, VARIANT: variant } } }
}

test.each([
  ['a correct one', '', []],
  ['one that believes metadata of any resource', 'believes-any-resource', ['validate-resource']],
] as const)('a client on Node alone: %s', { timeout: 240_000 }, async (_, variant, fail) => {
  const { code, record } = await certify(plain(variant), { args: ['--max-wait', '60s'] })
  expect({
    fail: requirementsWith(record, 'fail'),
    warn: requirementsWith(record, 'warn'),
    inconclusive: requirementsWith(record, 'inconclusive'),
  }).toEqual({ fail, warn: [], inconclusive: [] })
  expect(code).toBe(fail.length > 0 ? 1 : 0)
})

test.concurrent(
  'one that follows HTTP 401 alone fails, and proves nothing else but that it shows the words',
  { timeout: 240_000 },
  async () => {
    const { code, record } = await certify(plain('knows-http-only'), {
      args: ['--max-wait', '10s'],
    })
    expect(code).toBe(1)
    expect(requirementsWith(record, 'fail')).toEqual(['follow-chain'])
    expect(requirementsWith(record, 'pass')).toEqual(['show-content'])
  },
)

test.concurrent(
  'one that knows no authorization shows the words, and fails nothing',
  { timeout: 240_000 },
  async () => {
    const program = implementation('broken/shows-only-client.mjs')
    const { code, record } = await certify(
      settings('shows-only', process.execPath, program, '{mcp.url}'),
      { args: ['--max-wait', '8s'] },
    )
    expect(requirementsWith(record, 'pass')).toEqual(['show-content'])
    expect(requirementsWith(record, 'fail')).toEqual([])
    expect(code).toBe(3)
  },
)

test.concurrent.each([
  ['exits at once', 'process.exit(0)'],
  ['exits when it is spoken to', "process.stdin.once('data', () => process.exit(1))"],
  ['says nothing', 'process.stdin.resume()'],
  [
    'says that all is well and never connects',
    "process.stdin.on('data', () => console.log('Signed in. Two items.'))",
  ],
])('a client that %s passes nothing', { timeout: 240_000 }, async (name, program) => {
  const { configuration, running } = marked(settings(name, process.execPath, '-e', program))
  const { code, record } = await certify(configuration, { args: ['--max-wait', '6s'] })
  expect(requirementsWith(record, 'pass')).toEqual([])
  expect(record.findings.length).toBeGreaterThan(50)
  expect(record.failures).toEqual([])
  expect(code).toBe(3)
  expect(running()).toEqual([])
})
