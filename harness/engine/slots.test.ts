import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Slots, type Slot } from './slots.ts'

/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

function latch() {
  let open = (): void => undefined
  const closed = new Promise<void>((resolve) => (open = resolve))
  return { closed, open: () => open() }
}

/** Somebody who enters as soon as there is a slot. */
function entering(slots: Slots) {
  const entered = slots.enter()
  const state = { entered: false, leave: async () => (await entered).leave() }
  void entered.then(() => (state.entered = true))
  return state
}

test('no more than the limit act at once, and each in its turn', async () => {
  const slots = new Slots(2)
  const entered: number[] = []
  const held: Slot[] = []
  const all = [0, 1, 2, 3].map(async (number) => {
    const slot = await slots.enter()
    entered.push(number)
    held[number] = slot
  })
  await settle()
  expect(entered).toEqual([0, 1])
  held[1]?.leave()
  await settle()
  expect(entered).toEqual([0, 1, 2])
  held[0]?.leave()
  await Promise.all(all)
  expect(entered).toEqual([0, 1, 2, 3])
})

describe('a slot that is given away', () => {
  test('is free for others while its owner waits', async () => {
    const slots = new Slots(1)
    const first = await slots.enter()
    const waiting = latch()
    const away = first.offSlot(waiting.closed.then(() => 'done'))
    const second = await slots.enter()
    waiting.open()
    second.leave()
    expect(await away).toBe('done')
  })

  test('comes back before others begin: what has begun is finished first', async () => {
    const slots = new Slots(1)
    const order: string[] = []
    const first = await slots.enter()
    const waiting = latch()
    const away = first.offSlot(waiting.closed).then(() => order.push('first goes on'))
    const second = await slots.enter()
    const third = slots.enter().then(() => order.push('third begins'))
    waiting.open()
    await settle()
    expect(order).toEqual([])
    second.leave()
    await away
    expect(order).toEqual(['first goes on'])
    first.leave()
    await third
    expect(order).toEqual(['first goes on', 'third begins'])
  })

  test('comes back also where the waiting failed, and the error goes on', async () => {
    const slots = new Slots(1)
    const slot = await slots.enter()
    await expect(slot.offSlot(Promise.reject(new Error('no result')))).rejects.toThrow('no result')
    const next = entering(slots)
    await settle()
    expect(next.entered).toBe(false)
    slot.leave()
    await settle()
    expect(next.entered).toBe(true)
  })

  test('is one slot, for however many things its owner waits', async () => {
    const slots = new Slots(1)
    const first = await slots.enter()
    const waiting = [latch(), latch(), latch()]
    const away = Promise.all(waiting.map(({ closed }) => first.offSlot(closed)))
    const others = [entering(slots), entering(slots)]
    await settle()
    expect(others.map(({ entered }) => entered)).toEqual([true, false])
    for (const each of waiting) each.open()
    await others[0]?.leave()
    await away
    await settle()
    expect(others[1]?.entered).toBe(false)
    first.leave()
    await settle()
    expect(others[1]?.entered).toBe(true)
  })

  test('is not taken again by what still waits when its owner has ended', async () => {
    const slots = new Slots(1)
    const first = await slots.enter()
    const waiting = latch()
    const late = first.offSlot(waiting.closed)
    first.leave()
    waiting.open()
    await late
    const second = await slots.enter()
    expect(second).toBeDefined()
  })
})

describe('the slot of one who waits for an answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  /** A machine that notices everything late by so many milliseconds. */
  function timed(count: number, late = 0) {
    let now = 0
    const slots = new Slots(count, () => now)
    const pass = async (ms: number): Promise<void> => {
      now += ms + late
      vi.advanceTimersByTime(ms)
      await settle()
    }
    return { slots, pass }
  }

  async function waits(slots: Slots) {
    const slot = await slots.enter()
    const waiting = latch()
    return { slot, open: waiting.open, answer: slot.lendSlot(waiting.closed.then(() => 'answer')) }
  }

  test('stays with its owner where the answer comes soon', async () => {
    const { slots, pass } = timed(1)
    const first = await waits(slots)
    const other = entering(slots)
    await pass(99)
    expect(other.entered).toBe(false)
    first.open()
    expect(await first.answer).toBe('answer')
    await pass(1000)
    expect(other.entered).toBe(false)
  })

  test('is lent where it does not, and its owner goes on at once, before others begin', async () => {
    const { slots, pass } = timed(1)
    const first = await waits(slots)
    const others = [entering(slots), entering(slots)]
    await pass(100)
    expect(others.map(({ entered }) => entered)).toEqual([true, false])
    first.open()
    expect(await first.answer).toBe('answer')
    await others[0]?.leave()
    await settle()
    expect(others[1]?.entered).toBe(false)
    first.slot.leave()
    await settle()
    expect(others[1]?.entered).toBe(true)
  })

  test('comes back also where no answer came, and the error goes on', async () => {
    const { slots, pass } = timed(1)
    const slot = await slots.enter()
    const waiting = latch()
    const answer = slot.lendSlot(waiting.closed.then(() => Promise.reject(new Error('gone'))))
    await pass(100)
    waiting.open()
    await expect(answer).rejects.toThrow('gone')
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
  })

  test('stays with its owner as long as this machine is late with everything', async () => {
    const { slots, pass } = timed(1, 51)
    await waits(slots)
    const other = entering(slots)
    for (let times = 0; times < 10; times += 1) await pass(100)
    expect(other.entered).toBe(false)
  })

  test('is lent once the machine has kept up for a while', async () => {
    let now = 0
    const slots = new Slots(1, () => now)
    const pass = async (ms: number): Promise<void> => {
      now += ms
      vi.advanceTimersByTime(100)
      await settle()
    }
    await waits(slots)
    const other = entering(slots)
    await pass(151)
    for (let times = 1; times < 20; times += 1) await pass(100)
    expect(other.entered).toBe(false)
    await pass(100)
    expect(other.entered).toBe(true)
  })

  test('is not lent where many are already', async () => {
    const { slots, pass } = timed(1)
    const first = await waits(slots)
    for (let lent = 1; lent < 6; lent += 1) {
      await pass(100)
      await waits(slots)
    }
    await pass(100)
    await waits(slots)
    const other = entering(slots)
    await pass(100)
    expect(other.entered).toBe(false)
    // Whoever ends makes place for another.
    first.slot.leave()
    await pass(100)
    expect(other.entered).toBe(true)
  })

  test('is lent once, and counted so, where its owner waits for other reasons meanwhile', async () => {
    const { slots, pass } = timed(1)
    const first = await waits(slots)
    await pass(100)
    const second = await slots.enter()
    const away = first.slot.offSlot(latch().closed)
    void away
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
    second.leave()
    await settle()
    expect(other.entered).toBe(true)
  })
})

test('where there are to be fewer, those that are taken stay, and no other is given', async () => {
  const slots = new Slots(3)
  const [first, second] = [await slots.enter(), await slots.enter()]
  slots.narrow(1)
  const third = entering(slots)
  first.leave()
  await settle()
  expect(third.entered).toBe(false)
  second.leave()
  await settle()
  expect(third.entered).toBe(true)
  const fourth = entering(slots)
  await settle()
  expect(fourth.entered).toBe(false)
  await third.leave()
  await settle()
  expect(fourth.entered).toBe(true)
})
