/** What `aoc run` says about MCP clients that are not ours: one in Python, and what hardly is one. */

import { expect, test } from 'vitest'
import { certify, implementation, marked, requirementsWith } from './run-cli.ts'

const terminal = {
  call: '{tool} {arguments}',
  prompt: 'Go there? (yes/no/later)',
  accept: 'yes',
  decline: 'no',
  cancel: 'later',
}

const settings = (name: string, ...command: readonly string[]) => ({
  profile: 'mcp-url-elicitation/client',
  implementation: { name },
  target: { command, env: { PYTHONDONTWRITEBYTECODE: '1' } },
  drive: { terminal },
})

test('a client in Python, with the standard library alone', { timeout: 180_000 }, async () => {
  const program = implementation('python-mcp-client/client.py')
  const { code, record } = await certify({
    ...settings('python-mcp-client', 'python3', program, '{mcp.name}', '{mcp.url}'),
    timing: { maxWait: '60s' },
  })
  expect(requirementsWith(record, 'fail')).toEqual([])
  expect(requirementsWith(record, 'warn')).toEqual([])
  expect(requirementsWith(record, 'inconclusive')).toEqual([])
  expect(code).toBe(0)
})

test('a client that starts more slowly among others than alone', { timeout: 180_000 }, async () => {
  const program = implementation('python-mcp-client/client.py')
  const slower =
    'mkdir -p {data.dir}; cd {data.dir}/..; [ -e began ] && sleep 6; touch began; exec "$@"'
  const { record } = await certify(
    settings(
      'slow-client',
      'sh',
      '-c',
      slower,
      'sh',
      'python3',
      program,
      '{mcp.name}',
      '{mcp.url}',
    ),
    { args: ['--filter', 'decline'] },
  )
  expect(requirementsWith(record, 'inconclusive')).toEqual([])
  expect(record.counts.pass).toBeGreaterThan(0)
})

test.each([
  ['', []],
  ['short-url', ['show-full-url']],
  ['wrong-server', ['show-server']],
  ['opens-on-error', ['consent-before-opening']],
])('a client in German, variant "%s"', { timeout: 180_000 }, async (variant, broken) => {
  const servers = { '{mcp.name}': { url: '{mcp.url}' }, '{mcp.name2}': { url: '{mcp.url2}' } }
  const { code, record } = await certify({
    profile: 'mcp-url-elicitation/client',
    implementation: { name: 'german-mcp-client' },
    target: {
      command: ['python3', implementation('german-mcp-client/client.py')],
      env: { PYTHONDONTWRITEBYTECODE: '1', VARIANT: variant, SERVER: JSON.stringify(servers) },
    },
    drive: {
      terminal: {
        call: 'ruf {tool} {arguments}',
        prompt: 'später entscheiden > ',
        accept: 'ö',
        decline: 'a',
        cancel: '',
      },
    },
    timing: { maxWait: '60s' },
  })
  expect(requirementsWith(record, 'fail')).toEqual(broken)
  expect(code).toBe(broken.length === 0 ? 0 : 1)
  if (broken.length > 0) return
  expect(requirementsWith(record, 'warn')).toEqual([])
  expect(requirementsWith(record, 'inconclusive')).toEqual([])
})

test.concurrent.each([
  ['exits at once', 'process.exit(0)'],
  ['exits when it is spoken to', "process.stdin.once('data', () => process.exit(1))"],
  ['says nothing', 'process.stdin.resume()'],
  [
    'asks its user at once and never connects',
    "process.stdin.on('data', () => console.log('Go there? (yes/no/later)'))",
  ],
])('a client that %s passes nothing', { timeout: 180_000 }, async (name, program) => {
  const { configuration, running } = marked(settings(name, process.execPath, '-e', program))
  const { code, record } = await certify(configuration, { args: ['--max-wait', '6s'] })
  expect(requirementsWith(record, 'pass')).toEqual([])
  expect(record.findings.length).toBeGreaterThan(50)
  expect(record.failures).toEqual([])
  expect(code).toBe(3)
  expect(running()).toEqual([])
})

test.concurrent(
  'a client that accepts everything and asks nobody passes what it did',
  { timeout: 180_000 },
  async () => {
    const program = implementation('broken/accept-everything.mjs')
    const { code, record } = await certify(
      settings('accept-everything', process.execPath, program, '{mcp.url}'),
      { args: ['--max-wait', '6s'] },
    )
    expect(code).toBe(1)
    // A form, too, is accepted.
    expect(requirementsWith(record, 'fail')).toEqual(['accept-after-consent', 'refuse-undeclared'])
    expect(requirementsWith(record, 'pass')).toEqual(['accept-without-content', 'declare-mode'])
  },
)
