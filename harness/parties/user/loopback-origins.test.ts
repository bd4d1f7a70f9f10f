import { expect, test } from 'vitest'
import { LoopbackOrigins } from './loopback-origins.ts'

test.each(['http://127.0.0.1:4711', 'http://localhost', 'http://[::1]:80'])(
  '%s is reached as it is',
  (origin) => {
    const origins = new LoopbackOrigins()
    expect(origins.has(origin)).toBe(true)
    expect(origins.get(origin)).toBe(origin)
  },
)

test.each(['http://127.0.0.1.example:80', 'https://client.example', '', 'client://callback'])(
  '%j is not',
  (origin) => {
    const origins = new LoopbackOrigins()
    expect(origins.has(origin)).toBe(false)
    expect(origins.get(origin)).toBeUndefined()
  },
)

test('what is added is reached as was said', () => {
  const origins = new LoopbackOrigins().set('https://client.example', 'http://127.0.0.1:1')
  expect(origins.get('https://client.example')).toBe('http://127.0.0.1:1')
})

test('where others are, the application is not', () => {
  const origins = new LoopbackOrigins('https://127.0.0.1:2')
  expect(origins.has('https://127.0.0.1:2')).toBe(false)
  expect(origins.has('http://127.0.0.1:2')).toBe(true)
})
