import { expect, test } from 'vitest'
import { isValidUrl } from './valid-url.ts'

test.each([
  [true, 'https://app.example/connect?e=1'],
  [true, 'https://app.example/connect?key=[secret client_secret-1]&e=1'],
  [false, 'https://app.example/connect?key=a b'],
  [false, 'https://app.example/"'],
  [false, '/connect'],
  [false, undefined],
])('a URL that is valid: %s, %s', (valid, value) => {
  expect(isValidUrl(value)).toBe(valid)
})
