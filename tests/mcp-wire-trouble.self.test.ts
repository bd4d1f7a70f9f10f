/** What goes wrong on the wire of MCP is a finding or a plain error, for every profile, and nobody is waited for without end. */

import { expect, test } from 'vitest'
import { certify, implementation, requirementsWith } from './run-cli.ts'

const timing = { step: '3s', maxWait: '6s' }
const protocols = ['mcp-url-elicitation', 'mcp-auth-challenge', 'mcp-delegated-authorization']
const gates: Readonly<Record<string, string>> = {
  'mcp-url-elicitation/server': 'connect-and-complete',
  'mcp-auth-challenge/server': 'challenged-then-served',
  'mcp-delegated-authorization/server': 'approve',
  'mcp-url-elicitation/client': 'accept',
  'mcp-auth-challenge/client': 'array',
  'mcp-delegated-authorization/client': 'approve',
}

/** What a run says of the gate of a profile. */
async function gateOf(profile: string, name: string, settings: Readonly<Record<string, unknown>>) {
  const { code, record } = await certify(
    { profile, implementation: { name }, timing, ...settings },
    { args: ['--filter', gates[profile]!] },
  )
  expect(record.failures).toEqual([])
  const said = record.findings.map(({ message }) => message).join('\n')
  return {
    code,
    said,
    passed: requirementsWith(record, 'pass'),
    failed: requirementsWith(record, 'fail'),
  }
}

const node = (file: string, ...args: readonly string[]) => [
  process.execPath,
  implementation(`broken/${file}`),
  ...args,
]

const overHttp = [
  ['odd-revision', /offers revision "1999-01-01", which nobody knows here/],
  ['lost-session', /404/],
  ['cut', /no answer|EOF|closed|terminated|aborted|other side/],
  // Its tool needs no authorization, and says so.
  ['get-stream', /ended|served|no challenge|without/],
] as const
const overStdio = [
  ['odd-revision', /offers revision "1999-01-01", which nobody knows here/],
  ['html', /initialize was not answered/],
  ['half', /no answer within|not answered|no URL|no result/],
] as const

test.each(
  protocols.flatMap((protocol) => [
    ...overHttp.map(([mode, says]) => [protocol, 'http', mode, says] as const),
    ...(protocol === 'mcp-auth-challenge'
      ? []
      : overStdio.map(([mode, says]) => [protocol, 'stdio', mode, says] as const)),
  ]),
)('a server of %s over %s: %s', { timeout: 120_000 }, async (protocol, transport, mode, says) => {
  const { code, said, passed } = await gateOf(`${protocol}/server`, mode, {
    target: {
      command: node('wire-server.mjs', mode, transport),
      ...(protocol === 'mcp-auth-challenge' ? {} : { transport }),
      env: { PORT: '{port}' },
    },
    tool: { name: 'list_items' },
  })
  expect([passed, said]).toEqual([[], expect.stringMatching(says)])
  expect([1, 3]).toContain(code)
})

const driven = { call: 'call {tool} {arguments}' }
const asked = { ...driven, prompt: 'Open it?', accept: 'y', decline: 'n' }
const drives: Readonly<Record<string, unknown>> = {
  'mcp-url-elicitation': { terminal: { ...asked, cancel: 'c' } },
  'mcp-auth-challenge': { terminal: driven },
  'mcp-delegated-authorization': { terminal: asked },
}

const clients = [
  ['no-json', /refused by HTTP 400/],
  ['half', /refused by HTTP 400.*this is not a JSON-RPC 2\.0 message/],
  ['batch', /refused by HTTP 400.*no batches/],
  ['no-session', /refused by HTTP 400.*mcp-session-id/],
  ['hangs-up', /\S/],
  ['odd-revision', /\S/],
] as const

test.each(protocols.flatMap((protocol) => clients.map((row) => [protocol, ...row] as const)))(
  'a client of %s: %s',
  { timeout: 120_000 },
  async (protocol, mode, says) => {
    const { code, said } = await gateOf(`${protocol}/client`, mode, {
      target: { command: node('wire-client.mjs', mode, '{mcp.url}') },
      drive: drives[protocol],
    })
    expect(said).toMatch(says)
    expect([1, 3]).toContain(code)
  },
)
