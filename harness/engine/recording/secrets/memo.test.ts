import { expect, test, vi } from 'vitest'
import { Memo } from './memo.ts'

function remembering(size = 1) {
  const find = vi.fn((text: string) => text.length)
  const memo = new Memo<number>(() => size)
  return { find, memo, ask: (text: string) => memo.get(text, find) }
}

test('what was found out of a text is found out once', () => {
  const { ask, find } = remembering()
  expect([ask('text'), ask('text'), ask('other')]).toEqual([4, 4, 5])
  expect(find).toHaveBeenCalledTimes(2)
})

test('what is forgotten is found out again', () => {
  const { ask, find, memo } = remembering()
  ask('text')
  memo.forget()
  expect(ask('text')).toBe(4)
  expect(find).toHaveBeenCalledTimes(2)
})

test('a long text is not kept', () => {
  const { ask, find } = remembering()
  const long = 'a'.repeat(1025)
  expect([ask(long), ask(long)]).toEqual([1025, 1025])
  expect(find).toHaveBeenCalledTimes(2)
})

test('it keeps no more than its bound, however many texts there are', () => {
  const { ask, find } = remembering(1024 * 1024)
  for (const text of ['a', 'b', 'c', 'd']) ask(text)
  ask('a')
  expect(find).toHaveBeenCalledTimes(5)
})
