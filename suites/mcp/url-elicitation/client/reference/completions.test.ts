import { expect, test } from 'vitest'
import { Completions } from './completions.ts'

test('what waits hears of its own completion, and nobody of another', async () => {
  const completions = new Completions()
  const order: string[] = []
  const first = completions.of('a').then(() => order.push('a'))
  completions.complete('unknown')
  const second = completions.of('b').then(() => order.push('b'))
  completions.complete('b')
  await second
  completions.complete('a')
  completions.complete('a')
  await first
  expect(order).toEqual(['b', 'a'])
})
