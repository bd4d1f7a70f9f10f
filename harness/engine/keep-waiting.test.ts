import { expect, test } from 'vitest'
import { keepWaiting } from './keep-waiting.ts'

/** Waits in vain, with so many signs in each period; the last one brings what is waited for. */
async function waits(atMost: number, ...signs: readonly (number | 'it came')[]) {
  const waited: number[] = []
  let seen = 0
  const found = await keepWaiting({
    within: 5,
    atMost,
    signs: () => seen,
    wait(within) {
      const next = signs[waited.push(within) - 1] ?? 0
      if (next === 'it came') return Promise.resolve(next)
      seen += next
      return Promise.resolve(undefined)
    },
  })
  return { found, waited }
}

test('what shows no sign is given up after one period', async () => {
  expect(await waits(30, 0, 'it came')).toEqual({ found: undefined, waited: [5] })
})

test('what goes on is waited for', async () => {
  expect(await waits(30, 3, 1, 'it came')).toEqual({ found: 'it came', waited: [5, 5, 5] })
})

test('nothing is waited for beyond the longest wait', async () => {
  expect(await waits(12, 1, 1, 1, 'it came')).toEqual({ found: undefined, waited: [5, 5, 2] })
})
