import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findToken } from './storage.ts'

const token = 'url-4f1c9d2e7ab8503c6d1e'
const url = `https://auth.example/authorize?login_hint=${token}`

const forms: Record<string, string | Uint8Array> = {
  'as it is': url,
  'in base64': Buffer.from(url).toString('base64'),
  'as numeric entities': Array.from(url, (each) => `&#${each.charCodeAt(0)};`).join(''),
  'compressed within a file': Buffer.concat([Buffer.from('head'), gzipSync(url)]),
  'compressed in base64': JSON.stringify({ state: deflateSync(url).toString('base64') }),
}

test.each(Object.entries(forms))('a token that is stored %s is found', (_, stored) => {
  expect(findToken(Buffer.from(stored), token)).toHaveLength(1)
})

test('another token is not', () => {
  expect(findToken(Buffer.from(url.replace('4f1c', '5a2b')), 'url-0123456789abcdef0123')).toEqual(
    [],
  )
})
