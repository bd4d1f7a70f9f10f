import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

const never = new AbortController().signal

/** A pace whose pauses end when they are told to. */
function stepping() {
  const pauses: { readonly ms: number; readonly end: () => void }[] = []
  const pause = (ms: number) => new Promise<void>((end) => void pauses.push({ ms, end }))
  return { pace: new Pace(pause), pauses }
}

const atOnce = () => new Pace(async () => undefined)

/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('calls take turns', async () => {
  const { pace, pauses } = stepping()
  const turns = [pace.turn(never), pace.turn(never)]
  await settle()
  expect(pauses).toHaveLength(1)
  pauses[0]?.end()
  expect(await turns[0]).toBe(true)
  await settle()
  expect(pauses).toHaveLength(2)
  pauses[1]?.end()
  expect(await turns[1]).toBe(true)
})

test('what is still too fast goes slower, up to a limit', async () => {
  const waited: number[] = []
  const pace = new Pace(async (ms) => void waited.push(ms))
  for (let n = 0; n < 6; n += 1) {
    await pace.turn(never)
    pace.note(true)
  }
  expect(waited).toEqual([250, 375, 562.5, 843.75, 1000, 1000])
})

test('what does not help is given up, for all and for good', async () => {
  const { pace, pauses } = stepping()
  for (let n = 0; n < 11; n += 1) pace.note(true)
  const waiting = pace.turn(never)
  await settle()
  pace.note(true)
  pace.note(false)
  pauses[0]?.end()
  expect(await waiting).toBe(false)
  expect(await pace.turn(never)).toBe(false)
})

test('one that helps begins the count anew', async () => {
  const pace = atOnce()
  for (let n = 0; n < 20; n += 1) pace.note(n % 2 === 0)
  expect(await pace.turn(never)).toBe(true)
})

test('there are no turns in a run that was interrupted', async () => {
  expect(await atOnce().turn(AbortSignal.abort())).toBe(false)
})

test('one call is the first', () => {
  const pace = atOnce()
  expect([pace.isFirst(), pace.isFirst()]).toEqual([true, false])
})

test('what may be too many goes slower, and never stops', async () => {
  const waited: number[] = []
  const pace = new Pace(async (ms) => void waited.push(ms))
  for (let n = 0; n < 13; n += 1) {
    expect(await pace.turn(never)).toBe(true)
    pace.note(true, false)
  }
  expect(waited.at(-1)).toBe(1000)
})

test('how a call ended that went on when it was made once more is remembered', () => {
  const pace = atOnce()
  pace.learn('slow down')
  expect(pace.hasHelped('slow down')).toBe(true)
  expect(pace.hasHelped('failed')).toBe(false)
})

test('where making calls once more in doubt helps nobody, nobody does so any more', () => {
  const pace = atOnce()
  for (let n = 0; n < 23; n += 1) pace.note(true, false)
  expect(pace.mayDoubt).toBe(true)
  pace.note(true, false)
  expect(pace.mayDoubt).toBe(false)
})

test('whoever is in doubt has no turn then, and who is not has one', async () => {
  const pace = atOnce()
  for (let n = 0; n < 24; n += 1) pace.note(true, false)
  expect(await pace.turn(never, false)).toBe(false)
  expect(await pace.turn(never)).toBe(true)
})

test('one that went on begins that count anew', () => {
  const pace = atOnce()
  for (let n = 0; n < 23; n += 1) pace.note(true, false)
  pace.note(false)
  pace.note(true, false)
  expect(pace.mayDoubt).toBe(true)
})
