import { expect, test } from 'vitest'
import {
  authUriOf,
  eventsIn,
  failureIn,
  functionsIn,
  member,
  requestsIn,
  withAnswer,
  withRedirectUri,
  type CredentialRequest,
} from './wire.ts'

const body = (text: string) => ({ text, bytes: text.length })

test.each([
  ['an array', '[{"a":1},{"b":2}]'],
  ['events', 'data: {"a":1}\n\ndata: {"b":2}\n\n'],
  [
    'events with comments, other fields and CRLF',
    ': hi\r\ndata: {"a":1}\r\nid: 7\r\n\r\ndata: {"b":2}\r\n\r\n',
  ],
  ['pretty events', 'data: {\ndata: "a":1}\n\ndata: {"b":2}\n\n'],
  ['a stream that was cut off', 'data: {"a":1}\n\ndata: {"b":2}'],
])('events are read from %s', (_, text) => {
  expect(eventsIn(body(text))).toEqual([{ a: 1 }, { b: 2 }])
})

test.each(['', '{}', 'null', '7', '<html>', '{"error":"no"}', '['.repeat(100_000)])(
  'there are none in %.20s',
  (text) => {
    expect(eventsIn(body(text))).toEqual([])
  },
)

test('what is no event is an empty one, and deep JSON is none', () => {
  expect(eventsIn(body('[7,null,[],{"a":1}]'))).toEqual([{}, {}, {}, { a: 1 }])
  expect(eventsIn(body(`data: ${'['.repeat(1000)}\n\n`))).toEqual([{}])
  expect(eventsIn(undefined)).toEqual([])
})

test('functions are read in either casing, and not from what is still being streamed', () => {
  const call = { id: 'a', name: 'look', args: { at: 1 } }
  const event = { content: { parts: [{ text: 'x' }, { functionCall: call }, null, 7] } }
  const found = [{ id: 'a', name: 'look', value: { at: 1 } }]
  expect(functionsIn(event, 'functionCall')).toEqual(found)
  expect(functionsIn({ content: { parts: [{ function_call: call }] } }, 'functionCall')).toEqual(
    found,
  )
  expect(functionsIn({ ...event, partial: true }, 'functionCall')).toEqual([])
  expect(functionsIn({ content: { parts: [{ functionCall: {} }] } }, 'functionCall')).toEqual([
    { id: '', name: '', value: {} },
  ])
})

const config = {
  authScheme: { type: 'oauth2' },
  exchangedAuthCredential: {
    authType: 'oauth2',
    oauth2: { authUri: 'https://p/a?state=s', state: 's' },
  },
}

function byCall(args: object, running: readonly string[] = ['r']) {
  const functionCall = { id: 'r', name: 'adk_request_credential', args }
  return requestsIn({ content: { parts: [{ functionCall }] }, longRunningToolIds: running })
}

test('a request by a call, as Python and as JavaScript write it', () => {
  const expected = { dialect: 'call', id: 'r', paused: 'p', config, longRunning: true }
  expect(byCall({ functionCallId: 'p', authConfig: config })).toEqual([expected])
  expect(byCall({ function_call_id: 'p', auth_config: config })).toEqual([expected])
  expect(byCall({}, [])).toEqual([
    { dialect: 'call', id: 'r', paused: undefined, config: {}, longRunning: false },
  ])
})

test('a request by a response, and not the answer that is read back', () => {
  const response = { auth_scheme: {}, raw_auth_credential: { auth_type: 'o_auth2' } }
  const part = { functionResponse: { id: 'p', name: 'adk_request_credential', response } }
  const event = { author: 'helper', content: { parts: [part] }, long_running_tool_ids: ['p'] }
  const expected = {
    dialect: 'response',
    id: 'p',
    paused: 'p',
    config: response,
    longRunning: true,
    invocation: undefined,
  }
  expect(requestsIn(event)).toEqual([expected])
  expect(requestsIn({ ...event, author: 'user' })).toEqual([])
  const filled = { ...response, exchanged_auth_credential: {} }
  const answer = { functionResponse: { ...part.functionResponse, response: filled } }
  expect(requestsIn({ ...event, content: { parts: [answer] } })).toEqual([])
})

const request = (of: object): CredentialRequest => ({
  dialect: 'call',
  id: 'r',
  paused: 'p',
  config: of as never,
  longRunning: true,
  invocation: undefined,
})

test('an optional member that is null is as one that is not there', () => {
  const response = { auth_scheme: {}, exchanged_auth_credential: null }
  const functionResponse = { id: 'p', name: 'adk_request_credential', response }
  const event = { content: { parts: [{ functionResponse }] }, long_running_tool_ids: ['p'] }
  expect(requestsIn(event)).toEqual([
    { dialect: 'response', id: 'p', paused: 'p', config: response, longRunning: true },
  ])
  expect(failureIn([{ content: null, error: 'no' }])).toContain('"no"')
  expect(failureIn([{ content: null, error: null }])).toBeUndefined()
  const snakeOnly = { authScheme: null, auth_scheme: { type: 'oauth2' } }
  expect(member(snakeOnly, 'authScheme')).toEqual({ type: 'oauth2' })
})

test('an answer is the whole AuthConfig with the members in it, in its casing', () => {
  const answer = withAnswer(request(config), { authResponseUri: 'u', state: undefined })
  expect(JSON.parse(JSON.stringify(answer))).toEqual({
    ...config,
    exchangedAuthCredential: {
      authType: 'oauth2',
      oauth2: { authUri: 'https://p/a?state=s', authResponseUri: 'u' },
    },
  })
  const snake = { auth_scheme: {}, raw_auth_credential: { auth_type: 'oauth2' } }
  expect(withAnswer(request(snake), { authResponseUri: 'u' })).toEqual({
    ...snake,
    exchanged_auth_credential: { auth_type: 'oauth2', oauth2: { auth_response_uri: 'u' } },
  })
  expect(authUriOf(request(config))).toBe('https://p/a?state=s')
  expect(authUriOf(request({}))).toBeUndefined()
})

const own = 'redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcb'

test.each([
  ['https://p/a?state=s', `https://p/a?state=s&${own}`],
  ['https://p/a', `https://p/a?${own}`],
  ['https://p/a?redirect_uri=&state=s', `https://p/a?&state=s&${own}`],
  ['https://p/a?state=s&redirect_uri=', `https://p/a?state=s&${own}`],
  ['https://p/a?state=s#x', `https://p/a?state=s&${own}#x`],
  ['https://p/a?redirect_uri=https%3A%2F%2Fq', 'https://p/a?redirect_uri=https%3A%2F%2Fq'],
  ['no url', 'no url'],
])('%s gets a redirect URI where it has none', (url, expected) => {
  expect(withRedirectUri(url, 'http://127.0.0.1:9/cb')).toBe(expected)
})
