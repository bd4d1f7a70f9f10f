import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

function latch() {
  let open = (): void => undefined
  const closed = new Promise<void>((resolve) => (open = resolve))
  return { closed, open: () => open() }
}

test('no more than the limit act at once, and each in its turn', async () => {
  const slots = new Slots(2)
  const entered: number[] = []
  const leaves: (() => void)[] = []
  const all = [0, 1, 2, 3].map(async (number) => {
    const leave = await slots.enter()
    entered.push(number)
    leaves[number] = leave
  })
  await settle()
  expect(entered).toEqual([0, 1])
  leaves[1]?.()
  await settle()
  expect(entered).toEqual([0, 1, 2])
  leaves[0]?.()
  await Promise.all(all)
  expect(entered).toEqual([0, 1, 2, 3])
})

test('who waits aside gives its place away', async () => {
  const slots = new Slots(1)
  await slots.enter()
  const waiting = latch()
  const aside = slots.aside(waiting.closed.then(() => 'done'))
  const leave = await slots.enter()
  waiting.open()
  leave()
  expect(await aside).toBe('done')
})

test('what has begun is finished before others begin', async () => {
  const slots = new Slots(1)
  const order: string[] = []
  const leaveFirst = await slots.enter()
  const waiting = latch()
  const aside = slots.aside(waiting.closed).then(() => order.push('first goes on'))
  const leaveSecond = await slots.enter()
  const third = slots.enter().then(() => order.push('third begins'))
  waiting.open()
  await settle()
  expect(order).toEqual([])
  leaveSecond()
  await aside
  expect(order).toEqual(['first goes on'])
  leaveFirst()
  await third
  expect(order).toEqual(['first goes on', 'third begins'])
})

test('who waits aside in vain takes its place again, and the error goes on', async () => {
  const slots = new Slots(1)
  const leave = await slots.enter()
  await expect(slots.aside(Promise.reject(new Error('no result')))).rejects.toThrow('no result')
  let entered = false
  const next = slots.enter().then(() => (entered = true))
  await settle()
  expect(entered).toBe(false)
  leave()
  await next
  expect(entered).toBe(true)
})
