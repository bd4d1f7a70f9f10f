import { expect, test } from 'vitest'
import { isSafeUrl, withRedirect } from './consent.ts'
import { readEnvironment } from './environment.ts'
import { readEvents, requestsIn } from './events.ts'

const own = 'http://127.0.0.1:8000/callback'

test.each([
  ['https://p/authorize', true],
  ['http://127.0.0.1:1/authorize', true],
  ['http://p.example/authorize', false],
  ['http://127.0.0.1.p.example/authorize', false],
  ['javascript:alert(1)', false],
  ['no URL', false],
])('%s: %s', (url, safe) => {
  expect(isSafeUrl(url)).toBe(safe)
})

test.each([
  ['https://p/a?state=s', own],
  ['https://p/a?redirect_uri=&state=s', own],
  ['https://p/a?redirect_uri=https%3A%2F%2Fq%2Fcb&state=s', 'https://q/cb'],
])('%s is opened with one redirect URI', (url, expected) => {
  const { searchParams } = new URL(withRedirect(url, own))
  expect(searchParams.getAll('redirect_uri')).toEqual([expected])
  expect(searchParams.get('state')).toBe('s')
})

test('a stream that ends in an error is a turn that failed', () => {
  const text = 'data: {"content":{}}\n\ndata: {"error":"out of luck"}\n\n'
  expect(() => readEvents(text, 'text/event-stream')).toThrow('out of luck')
  expect(readEvents('[{"a":1}]', 'application/json')).toEqual([{ a: 1 }])
})

test('what is not long-running, or has another name, is no credential request', () => {
  const event = (name: string, ids: readonly string[]) => ({
    content: { parts: [{ functionCall: { id: 'a', name, args: { authConfig: {} } } }] },
    longRunningToolIds: ids,
  })
  expect(requestsIn([event('adk_request_credential', ['a'])])).toHaveLength(1)
  expect(requestsIn([event('adk_request_credential', []), event('other', ['a'])])).toEqual([])
})

test('the environment, and what is wrong with it', () => {
  const env = { AGENT_URL: 'http://127.0.0.1:1/', AGENT_APP: 'helper', PORT: '7' }
  expect(readEnvironment(env)).toMatchObject({
    value: { publicUrl: 'http://127.0.0.1:7', agentUrl: 'http://127.0.0.1:1', consent: undefined },
  })
  expect(readEnvironment({ AGENT_APP: 'helper' })).toMatchObject({
    problems: [expect.stringContaining('AGENT_URL')],
  })
})
