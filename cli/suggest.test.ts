import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const ids = [
  'rap-oauth/tool/echo-call-id',
  'rap-oauth/tool/echo-id',
  'rap-oauth/tool/pkce-s256',
  'denied-consent',
]

test.each([
  ['echo-cal-id', 'rap-oauth/tool/echo-call-id'],
  ['rap-oauth/tool/pkce-s265', 'rap-oauth/tool/pkce-s256'],
  ['consent', 'denied-consent'],
  ['denyed-consent', 'denied-consent'],
])('%s may mean %s', (text, expected) => {
  expect(suggest(text, ids)[0]).toBe(expected)
})

test('suggests nothing for what is like nothing', () => {
  expect(suggest('zzzzzzzzzz', ids)).toEqual([])
})
