import { expect, test } from 'vitest'
import { AgingMap, boundedList, BoundedMap } from './bounded.ts'

test('a bounded map forgets its oldest entry', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ])
})

test('a bounded list keeps the newest entries that weigh no more than its limit', () => {
  const list = boundedList<string>(16, (entry) => entry.length)
  for (let index = 0; index < 100; index++) list.push('four')
  expect(list.entries.length).toBeLessThanOrEqual(4)
  list.push('x'.repeat(100))
  expect(list.entries).toEqual(['x'.repeat(100)])
})

test('an aging map tells its oldest key, whatever was deleted, inserted again or cleared', () => {
  const map = new AgingMap<string, number>()
  expect(map.oldest()).toBeUndefined()
  map.set('a', 1).set('b', 2).set('c', 3)
  expect(map.oldest()).toBe('a')
  map.delete('a')
  map.set('a', 4).set('b', 5)
  expect(map.oldest()).toBe('b')
  map.delete('c')
  map.delete('b')
  expect(map.oldest()).toBe('a')
  map.clear()
  expect(map.oldest()).toBeUndefined()
  map.set('d', 6)
  expect(map.oldest()).toBe('d')
})
