import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const ids = [
  'protocol/role/echo-call-id',
  'protocol/role/echo-id',
  'protocol/role/pkce-s256',
  'denied-consent',
]

test.each([
  ['echo-cal-id', 'protocol/role/echo-call-id'],
  ['protocol/role/pkce-s265', 'protocol/role/pkce-s256'],
  ['consent', 'denied-consent'],
  ['denyed-consent', 'denied-consent'],
])('%s may mean %s', (text, expected) => {
  expect(suggest(text, ids)[0]).toBe(expected)
})

test('suggests nothing for what is like nothing', () => {
  expect(suggest('zzzzzzzzzz', ids)).toEqual([])
})
