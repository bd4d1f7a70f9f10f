import { expect, test } from 'vitest'

import { isUsableUrl } from './usable-url.ts'

test.each([
  'https://auth.example/authorize?a=1&b=%20%2F+x#frag',
  'HTTPS://AUTH.EXAMPLE:8443/?x=a@b',
  'https://ü.example/日本?é=\u{1f600}',
  `https://auth.example/?${'x'.repeat(20_000)}`,
])('%s may be shown', (url) => {
  expect(isUsableUrl(url)).toBe(true)
})

test.each([
  'http://auth.example/',
  'javascript:alert(1)//https://auth.example/',
  'data:text/html,hi',
  'https://user@auth.example/',
  'https://user:password@auth.example/',
  'https://@auth.example/',
  'https://good.example\\@evil.example/',
  'https:auth.example/',
  'https:///auth.example/',
  '//auth.example/',
  '/authorize',
  'auth.example',
  '',
  'https://',
  'https://auth.example:99999/',
  ' https://auth.example/',
  'https://auth.example/\nhttps://evil.example/',
  'https://auth.example/\u001b[2J',
  'https://auth.example/\u202e',
  'https://auth.example/a b',
  'https://auth.example/\ud800',
])('%j may not be shown', (url) => {
  expect(isUsableUrl(url)).toBe(false)
})
