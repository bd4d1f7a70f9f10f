import { expect, test } from 'vitest'
import { matchesExactly } from './redirect-uris.ts'

test.each([
  ['http://127.0.0.1:80/cb', true],
  ['http://127.0.0.1:49152/cb', true],
  ['http://127.0.0.1:0080/cb', false],
  ['http://127.0.0.1:00/cb', false],
  ['http://127.0.0.1:80/cb2', false],
])('%s for http://127.0.0.1/cb: %s', (uri, matches) => {
  expect(matchesExactly('http://127.0.0.1/cb', uri)).toBe(matches)
})
