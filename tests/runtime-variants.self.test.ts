/** Runtimes that are right in unusual ways: every model API, every surface, other languages, other habits. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { freePort } from '../harness/parties/index.ts'
import type { RunRecord } from '../reports/index.ts'
import { certify, implementation, requirementsWith } from './run-cli.ts'
import { variantRuntime } from './runtimes.ts'

/** What hangs on the ways to talk, and little else. */
const some = [
  'authorize-and-complete',
  'talk-while',
  'busy-conversation',
  'parallel-calls',
  'url-escapes',
  'url-unicode',
  'acknowledged-with-400',
  'storage-after-completion',
  'cancelled-while-pending',
].flatMap((scenario) => ['--filter', scenario])

function blemishes({ findings }: RunRecord): string[] {
  return findings
    .filter(({ verdict }) => !['pass', 'not-applicable', 'not-offered'].includes(verdict))
    .map(({ scenario, requirement, verdict, message }) =>
      [scenario, requirement, verdict, message].join(' '),
    )
}

describe('a runtime that is right in unusual ways is conformant', () => {
  test.concurrent.each([
    ['chat-stream,german,manifest,titles', { websocket: { path: '/ws/{conversation}' } }],
    ['responses,developer,markdown,async', { poll: { path: '/events/{conversation}' } }],
    ['responses-stream,html,nocontent,ownids', { sse: { path: '/stream/{conversation}' } }],
    ['messages,slack,slow,webhook', { webhook: true }],
    ['messages-stream,json,german,developer', { poll: { path: '/page/{conversation}' } }],
  ])('%s', async (variant, surface) => {
    const { code, record } = await certify(variantRuntime(variant, surface), { args: some })
    expect(blemishes(record)).toEqual([])
    expect(code).toBe(0)
  })

  test('in every scenario', async () => {
    const runtime = variantRuntime('chat', { sse: { path: '/stream/{conversation}' } })
    const { code, record } = await certify(runtime)
    expect(blemishes(record)).toEqual([])
    expect(code).toBe(0)
  })
})

test('an adapter that moves the clock shows a timeout of ten minutes', async () => {
  const args = ['--filter', 'runtime-timeout']
  const { code, record } = await certify(variantRuntime('adapter,chat', { adapter: true }), {
    args,
  })
  expect(blemishes(record)).toEqual([])
  expect(requirementsWith(record, 'pass')).toContain('documented-timeout')
  expect(code).toBe(0)
})

test('a runtime that runs already, was told fixed ports, and wants a key from its users', async () => {
  const [port, toolset, toolset2, model] = await Promise.all(
    Array.from({ length: 4 }, () => freePort()),
  )
  const url = `http://127.0.0.1:${port}`
  const runtime = spawn(process.execPath, [implementation('runtime-variants/server.mjs')], {
    env: {
      ...process.env,
      VARIANT: 'chat,secured',
      PORT: String(port),
      PUBLIC_URL: url,
      TOOLSETS: `http://127.0.0.1:${toolset},http://127.0.0.1:${toolset2}/notes`,
      MODEL_ORIGIN: `http://127.0.0.1:${model}`,
      MODEL_API_KEY: 'any key',
    },
    stdio: 'ignore',
  })
  const exited = once(runtime, 'exit')
  try {
    const { messages } = variantRuntime('chat', {})
    const { code, record } = await certify(
      {
        profile: 'rap-oauth/runtime',
        implementation: { name: 'running' },
        target: { url, headers: { 'x-key': 'k' } },
        messages,
        surface: [{ sse: { path: '/stream/{conversation}' } }],
        listen: { toolset, toolset2, model },
      },
      { args: ['--filter', 'authorize-and-complete', '--filter', 'whole-run'] },
    )
    expect(blemishes(record)).toEqual([])
    expect(code).toBe(0)
  } finally {
    runtime.kill()
    await exited
  }
})
