import { describe, expect, test } from 'vitest'
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

describe('a slot that may be lent', () => {
  /** Waits `ms` for an answer. */
  async function waits(slots: Slots, time: Clock, ms: number) {
    const slot = await slots.enter()
    const waiting = latch()
    const answer = slot.lendSlot(waiting.closed.then(() => 'answer'))
    return {
      slot,
      async answered() {
        time.now += ms
        waiting.open()
        return answer
      },
    }
  }

  interface Clock {
    now: number
    busy: boolean
  }

  function timed(count: number) {
    const time: Clock = { now: 0, busy: false }
    return { time, slots: new Slots(count, { now: () => time.now, isBusy: () => time.busy }) }
  }

  test('stays with its owner while nothing is known of the implementation', async () => {
    const { slots, time } = timed(1)
    await waits(slots, time, 1000)
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
  })

  test('stays with its owner where answers come quickly', async () => {
    const { slots, time } = timed(1)
    const first = await waits(slots, time, 100)
    await first.answered()
    first.slot.leave()
    await waits(slots, time, 100)
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
  })

  test('is lent where answers take long by nature, one more for every answer', async () => {
    const { slots, time } = timed(1)
    const first = await waits(slots, time, 1000)
    await first.answered()
    first.slot.leave()
    const second = await waits(slots, time, 1000)
    await waits(slots, time, 1000)
    const others = [entering(slots), entering(slots)]
    await settle()
    expect(others.map(({ entered }) => entered)).toEqual([false, false])
    // Whoever has its answer goes on first, in place of the one that waits.
    expect(await second.answered()).toBe('answer')
    expect(others.map(({ entered }) => entered)).toEqual([false, false])
    second.slot.leave()
    await settle()
    expect(others.map(({ entered }) => entered)).toEqual([true, false])
  })

  test('is lent no longer where answers take longer the more are asked for', async () => {
    const { slots, time } = timed(1)
    const first = await waits(slots, time, 1000)
    await first.answered()
    first.slot.leave()
    const second = await waits(slots, time, 1300)
    await waits(slots, time, 1000)
    const other = entering(slots)
    // Whose slot was lent goes on all the same, in place of one that waits.
    expect(await second.answered()).toBe('answer')
    void second.slot.lendSlot(latch().closed)
    await settle()
    expect(other.entered).toBe(false)
  })

  test('is not lent where the machine is busy, too', async () => {
    const { slots, time } = timed(1)
    time.busy = true
    const first = await waits(slots, time, 1000)
    await first.answered()
    first.slot.leave()
    await waits(slots, time, 1000)
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
  })

  test('is not lent where nobody has waited alone for as long', async () => {
    const { slots, time } = timed(2)
    const pair = [await waits(slots, time, 1000), await waits(slots, time, 0)]
    for (const each of pair) await each.answered()
    for (const each of pair) each.slot.leave()
    await waits(slots, time, 1000)
    await waits(slots, time, 1000)
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
  })

  test('teaches nothing where it was given away meanwhile', async () => {
    const { slots, time } = timed(1)
    const first = await waits(slots, time, 1000)
    const away = first.slot.offSlot(first.answered())
    await away
    first.slot.leave()
    await waits(slots, time, 1000)
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
  })

  test('teaches nothing where no answer came', async () => {
    const { slots, time } = timed(1)
    const first = await slots.enter()
    const timedOut = latch()
    const none = first.lendSlot(timedOut.closed)
    time.now += 5000
    timedOut.open()
    await none
    first.leave()
    await waits(slots, time, 5000)
    const other = entering(slots)
    await settle()
    expect(other.entered).toBe(false)
  })
})
