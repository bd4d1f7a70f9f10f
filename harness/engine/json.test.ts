import { expect, test } from 'vitest'
import { jsonIn, membersOf } from './json.ts'

test.each([
  ['an object', '{"a":[1]}', { a: [1] }],
  ['brackets in a text', JSON.stringify('['.repeat(1000)), '['.repeat(1000)],
  ['no JSON', 'a', undefined],
  ['nothing', '', undefined],
  ['a hundred thousand lists', '['.repeat(100_000) + ']'.repeat(100_000), undefined],
])('%s', (_, text, value) => {
  expect(jsonIn(text)).toEqual(value)
})

test('a list has no members, nor has what is no object', () => {
  expect([[1], 'a', null, undefined].map(membersOf)).toEqual([{}, {}, {}, {}])
  expect(membersOf({ a: 1 })).toEqual({ a: 1 })
})
