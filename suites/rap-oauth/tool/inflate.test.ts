import { randomBytes } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inflated } from './inflate.ts'

const secret = 'a refresh token of some length'
const around = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from('\u0000\u0000\u0012row '), bytes, Buffer.from(' next row')])

test.each([
  ['gzip', gzipSync(secret)],
  ['zlib', deflateSync(secret)],
  ['zlib at its fastest', deflateSync(secret, { level: 1 })],
  ['zlib at its best', deflateSync(secret, { level: 9 })],
])('%s is read, alone and within other bytes', (_, bytes) => {
  expect(inflated(bytes).map(String)).toContain(secret)
  expect(inflated(around(bytes)).map(String)).toContain(secret)
})

test('what is not compressed gives nothing of that kind', () => {
  expect(inflated(Buffer.from(`{"token":"${secret}"}`)).map(String)).toEqual([])
  expect(inflated(randomBytes(64 * 1024)).map(String)).not.toContain(secret)
})
