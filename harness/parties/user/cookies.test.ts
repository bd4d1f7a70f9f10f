import { expect, test } from 'vitest'
import type { HttpRequest } from '../http.ts'
import { newJar, withCookies } from './cookies.ts'

/** What is sent where answers set these cookies. */
function browsing(...lines: readonly string[]) {
  const sent: HttpRequest[] = []
  const headers: Record<string, string> = lines.length > 0 ? { 'set-cookie': lines.join('\n') } : {}
  const jar = newJar()
  const transport = withCookies((request: HttpRequest) => {
    sent.push(request)
    return Promise.resolve({ status: 200, headers, body: { text: '', bytes: 0 } })
  }, jar)
  const get = async (url: string) => {
    await transport({
      method: 'GET',
      url,
      headers: {},
      within: 1000,
      signal: new AbortController().signal,
    })
    return sent.at(-1)?.headers['cookie']
  }
  return { get, jar }
}

test('what an answer has set is sent with the next request, and kept for the browser', async () => {
  const { get, jar } = browsing('a=1; Path=/; HttpOnly; SameSite=Lax', 'b=2; Path=/elsewhere')
  expect(await get('http://127.0.0.1:4100/go/1')).toBeUndefined()
  expect(await get('http://127.0.0.1:4100/go/2')).toBe('a=1')
  expect(await jar.getCookieString('http://localhost:4100/callback')).toBe('a=1')
})

test('hosts other than this machine have cookies of their own', async () => {
  const { get } = browsing('a=1')
  await get('https://app.example/go')
  expect(await get('https://other.example/go')).toBeUndefined()
  expect(await get('https://app.example/go')).toBe('a=1')
})
