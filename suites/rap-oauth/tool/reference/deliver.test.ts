import { expect, test, vi } from 'vitest'

import { deliver, shouldRetry } from './deliver.ts'

function means(answers: readonly (number | 'unreachable')[]) {
  const post = vi.fn(async () => {
    const answer = answers[Math.min(post.mock.calls.length, answers.length) - 1] ?? 200
    if (answer === 'unreachable') throw new Error('ECONNREFUSED')
    return answer
  })
  const { signal } = new AbortController()
  return { post, shouldRetry, timeoutMs: 1000, stopping: signal, signal }
}

const delivery = { url: 'http://runtime.example/', message: { type: 'tool_result' } }

test.each([
  ['delivers at once', [200], 1, true],
  ['tries again after a 503', [503, 200], 2, true],
  ['tries again when nobody answers', ['unreachable', 'unreachable', 204], 3, true],
  ['gives up after eight attempts', [500], 8, false],
  ['does not repeat what was refused', [410], 1, false],
  ['does not follow or repeat a redirect', [302], 1, false],
] as const)('%s', async (_name, answers, attempts, delivered) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const runtime = means(answers)
    const outcome = deliver(delivery, runtime)
    await vi.runAllTimersAsync()
    expect(await outcome).toBe(delivered)
    expect(runtime.post).toHaveBeenCalledTimes(attempts)
    expect(runtime.post.mock.calls[0]).toEqual([
      {
        url: delivery.url,
        headers: { 'content-type': 'application/json' },
        body: '{"type":"tool_result"}',
      },
      expect.any(AbortSignal),
    ])
  } finally {
    vi.useRealTimers()
  }
})

test('does not try again once a shutdown has begun', async () => {
  const stopping = new AbortController()
  const runtime = { ...means([503]), stopping: stopping.signal }
  const outcome = deliver(delivery, runtime)
  await vi.waitUntil(() => runtime.post.mock.calls.length === 1)
  stopping.abort()
  expect(await outcome).toBe(false)
  expect(runtime.post).toHaveBeenCalledTimes(1)
})

test('ends when the tool shuts down', async () => {
  const closing = new AbortController()
  const outcome = deliver(delivery, { ...means([500]), signal: closing.signal })
  closing.abort()
  expect(await outcome).toBe(false)
})
