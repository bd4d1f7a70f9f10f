import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Patience } from './patience.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const timing = { ackMs: 1, stepMs: 5_000, observeMs: 1, maxWaitMs: 30_000, graceMs: 1 }

test('the first of a kind is waited for as long as the run may', () => {
  const patience = new Patience(timing)
  patience.learn('invocation', 10)
  expect(patience.within('surface')).toBe(30_000)
})

test('a quick implementation is given the usual time, a slow one what it has needed and more', () => {
  const patience = new Patience(timing)
  const within = (atLeast?: number) => patience.within('surface', atLeast)
  patience.learn('surface', 20)
  expect([within(), within(8_000)]).toEqual([5_000, 8_000])
  patience.learn('surface', 6_000)
  patience.learn('surface', 100)
  expect(within()).toBe(24_000)
  patience.learn('surface', 25_000)
  expect(within()).toBe(30_000)
})

test('what never came is not waited for as long again', () => {
  const patience = new Patience(timing)
  patience.learn('surface', 0)
  expect(patience.within('surface')).toBe(5_000)
})

test('what is not known yet can be waited for, and is known when nothing came', async () => {
  const patience = new Patience(timing)
  const { signal } = new AbortController()
  const known = patience.known('token-use', signal)
  patience.learn('surface', 7)
  patience.learn('token-use', 0)
  await known
  await patience.known('token-use', signal)
  await new Patience(timing).known('token-use', AbortSignal.abort())
})

test('what is never known is not waited for for ever, whatever is collected meanwhile', async () => {
  const { signal } = new AbortController()
  const known = new Patience({ ...timing, maxWaitMs: 50 }).known('token-use', signal)
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  collectGarbage()
  await known
})
