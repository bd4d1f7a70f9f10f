import { expect, test } from 'vitest'
import { collectionOf } from '../storage/collection.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { isFirstUse } from './replays.ts'

test('nobody makes the provider forget what another has presented: a full memory accepts nothing new', async () => {
  let time = 0
  const storage = createMemoryStorage({
    clock: { now: () => time },
    limits: { records: { replays: 3 }, otherRecords: 1, collectionCharacters: 10_000 },
  })
  const replays = collectionOf<true>(storage, 'tenant/replays')
  const use = (id: string, lifetime = 60_000) => isFirstUse({ replays }, id, lifetime)
  expect(await use('victim')).toBe(true)
  expect(await use('short', 1000)).toBe(true)
  expect(await use('third')).toBe(true)
  expect(await use('stranger')).toBe(false)
  expect(await use('victim')).toBe(false)
  time = 2000
  expect(await use('stranger')).toBe(true)
  expect(await use('another')).toBe(false)
  expect(await use('victim')).toBe(false)
})
