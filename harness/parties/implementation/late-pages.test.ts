import { expect, test } from 'vitest'
import { HttpFailure, type HttpResponse, type Transport } from '../http.ts'
import { withLatePages } from './late-pages.ts'

const page: HttpResponse = { status: 200, headers: {}, body: { text: 'hello', bytes: 5 } }
const request = { method: 'GET', url: 'http://127.0.0.1:7001/connect', headers: {}, within: 1000 }

/** A program that listens from the attempt with this number on. */
function listening(from: number, code = 'ECONNREFUSED') {
  const attempts: string[] = []
  const transport: Transport = ({ url }) =>
    attempts.push(url) < from ? Promise.reject(new HttpFailure(code, code)) : Promise.resolve(page)
  return { attempts, transport }
}
const running = { url: 'http://127.0.0.1:7001', gone: new AbortController().signal }

test('a page of a program that has just started is waited for', async () => {
  const { transport, attempts } = listening(3)
  expect(await withLatePages(transport, [running], 5000)(request)).toBe(page)
  expect(attempts).toHaveLength(3)
})

test.each([
  ['nobody of these', [], 'ECONNREFUSED'],
  ['a program that has ended', [{ ...running, gone: AbortSignal.abort() }], 'ECONNREFUSED'],
  ['a connection that broke, for something may have been sent', [running], 'ECONNRESET'],
])('%s is not asked twice', async (_, programs, code) => {
  const { transport, attempts } = listening(2, code)
  await expect(withLatePages(transport, programs, 5000)(request)).rejects.toMatchObject({ code })
  expect(attempts).toHaveLength(1)
})

test('who never listens has refused in the end, and at once where the run is over', async () => {
  const { transport } = listening(Infinity)
  const late = withLatePages(transport, [running], 100)
  await expect(late(request)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const over = { ...request, signal: AbortSignal.abort() }
  await expect(withLatePages(transport, [running], 60_000)(over)).rejects.toThrow('ECONNREFUSED')
})
