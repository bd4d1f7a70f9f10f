import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStorage } from './memory.ts'
import { openStorage } from './open-storage.ts'
import { partition } from './partition.ts'
import type { Storage } from './storage.ts'
import {
  hasRedis,
  startRedis,
  temporaryFolder,
  withoutRedis,
  type RunningRedis,
} from './testing.ts'

const folder = temporaryFolder()
let redis: RunningRedis | undefined

beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
})

afterAll(async () => {
  await redis?.stop()
  folder.remove()
})

const kinds = [
  ['memory', () => 'memory'],
  ['sqlite', () => `sqlite:${join(folder.path, 'records.db')}`],
  ['redis', () => redis?.url ?? ''],
] as const

describe.each(kinds)('%s', (kind, address) => {
  let storage: Storage

  const missing = kind === 'redis' && !hasRedis
  const it = test.skipIf(missing)

  beforeAll(async () => {
    if (!missing) storage = await openStorage(address())
  })
  afterAll(() => storage?.close())
  if (missing) test(`skipped: ${withoutRedis}`, (context) => context.skip(withoutRedis))

  it('keeps records apart by collection and id', async () => {
    const record = { text: 'ü ', list: [1, { deep: null }], __proto: 'x' }
    await storage.set('a', 'id', record)
    await storage.set('b', 'id', 2)
    await storage.set('a', '__proto__', 3)
    expect(await storage.get('a', 'id')).toEqual(record)
    expect(await storage.get('b', 'id')).toBe(2)
    expect(await storage.get('a', '__proto__')).toBe(3)
    expect(await storage.get('a', 'other')).toBeUndefined()
    expect(await storage.get('constructor', 'id')).toBeUndefined()
  })

  it('updates, adds and removes, and tells what was there before', async () => {
    const bump = (record: unknown) => (typeof record === 'number' ? record + 1 : 1)
    expect(await storage.update('count', 'x', bump)).toBeUndefined()
    expect(await storage.update('count', 'x', bump)).toBe(1)
    expect(await storage.update('count', 'x', (record) => record)).toBe(2)
    expect(await storage.update('count', 'x', () => undefined)).toBe(2)
    expect(await storage.get('count', 'x')).toBeUndefined()
    expect(await storage.update('count', 'x', () => undefined)).toBeUndefined()
  })

  it('loses no update of many at once', async () => {
    const bump = (record: unknown) => (typeof record === 'number' ? record + 1 : 1)
    const before = await Promise.all(
      Array.from({ length: 50 }, async () => storage.update('many', 'x', bump)),
    )
    expect(new Set(before).size).toBe(50)
    expect(await storage.get('many', 'x')).toBe(50)
  })

  it('lists and clears a part without touching the rest', async () => {
    const [mine, other] = [partition(storage, 'https://a.test'), partition(storage, 'https://a')]
    await mine.set('things', '1', 'one')
    await mine.set('things', '2*', 'two')
    await other.set('things', '1', 'other')
    expect([...(await mine.list('things'))].map(String).toSorted()).toEqual(['one', 'two'])
    await mine.clear()
    expect(await mine.list('things')).toEqual([])
    expect(await other.list('things')).toEqual(['other'])
  })

  it('forgets a record when its lifetime is over, also one that was updated', async () => {
    await storage.set('short', 'set', 1, 1)
    await storage.update('short', 'kept', () => 1, 1)
    await storage.set('short', 'extended', 1, 1)
    await storage.update('short', 'extended', () => 2, 60_000)
    await expect.poll(() => storage.list('short')).toEqual([2])
    expect(await storage.get('short', 'set')).toBeUndefined()
  })
})

describe('memory', () => {
  test('is bounded for each collection, and forgets what has expired by its clock', () => {
    let now = 0
    const storage = createMemoryStorage({
      clock: { now: () => now },
      limits: { records: { a: 2 }, otherRecords: 5, collectionCharacters: 10_000 },
    })
    for (const id of ['1', '2', '3']) void storage.set('part/a', id, id)
    void storage.set('b', 'other', 'stays')
    expect(storage.list('part/a')).toEqual(['2', '3'])
    void storage.set('c', 'old', 1, 10)
    now = 10
    expect(storage.list('c')).toEqual([])
    expect(storage.get('b', 'other')).toBe('stays')
  })

  test('is bounded by what its records weigh, whatever they are made of', () => {
    const limits = { records: {}, otherRecords: 1000, collectionCharacters: 10_000 }
    const storage = createMemoryStorage({ limits })
    const kept = () => storage.list('requests') as readonly { readonly id: number }[]
    for (let id = 0; id < 500; id++) {
      void storage.set('requests', `${id}`, { id, parameters: ['x'.repeat(900)] })
      expect(JSON.stringify(kept()).length).toBeLessThan(10_500)
    }
    expect(kept().at(-1)?.id).toBe(499)
    // What shrinks makes room again, and one that is too large alone is kept until the next.
    for (const { id } of kept()) void storage.update('requests', `${id}`, () => ({ id }))
    const before = kept().length
    void storage.set('requests', 'more', { id: 500, parameters: ['x'.repeat(5000)] })
    expect(kept()).toHaveLength(before + 1)
    void storage.set('requests', 'huge', { id: 501, parameters: 'x'.repeat(20_000) })
    expect(kept().map(({ id }) => id)).toEqual([501])
  })
})

describe('sqlite', () => {
  const address = () => `sqlite:${join(folder.path, 'kept.db')}`

  test('keeps records from one process to the next', async () => {
    const first = await openStorage(address())
    await first.set('a', 'id', { kept: true })
    await first.close()
    const second = await openStorage(address())
    expect(await second.get('a', 'id')).toEqual({ kept: true })
    await second.close()
  })

  test('is for one at a time', async () => {
    const first = await openStorage(address())
    await expect(openStorage(address())).rejects.toThrow(/in use by process \d+/)
    await first.close()
  })

  test('opens after its owner was killed', async () => {
    const file = join(folder.path, 'killed.db')
    mkdirSync(`${file}.lock`)
    // no process has this id: it exceeds what Linux and macOS allow
    writeFileSync(`${file}.pid`, '99999999')
    const storage = await openStorage(`sqlite:${file}`)
    await storage.set('a', 'id', 1)
    expect(await storage.get('a', 'id')).toBe(1)
    await storage.close()
  })
})

test('an address that is none is refused, and a server that is not there', async () => {
  await expect(openStorage('postgres://x')).rejects.toThrow(TypeError)
  await expect(openStorage('redis://127.0.0.1:1')).rejects.toThrow(/ECONNREFUSED/)
})
