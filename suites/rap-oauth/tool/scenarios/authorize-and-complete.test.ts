import { expect, test } from 'vitest'
import {
  describeChecks,
  judge,
  providerOrigin,
  recording,
  redirectUri,
  toolOrigin,
  type Recording,
} from '../testing.ts'
import { senderGaveUp } from '../../../../harness/engine/index.ts'
import { authorizeAndComplete } from './authorize-and-complete.ts'

const completed = () => recording().completed().window()
const nothing = recording().invoke().gaveUp()
const requested = (detail: Record<string, unknown>) =>
  recording().invoke().oauth().authorizationRequest(detail)

/** A result whose sender closed the connection before it was answered. */
function gaveUpDelivering(): Recording {
  const t = recording().completed()
  const exchange = t.transcript.requests('callback').at(-1)?.exchange
  return t.step(senderGaveUp, { exchange })
}

/** The page that the code is brought to has a script. */
const scripted = (script: string) =>
  recording()
    .asked()
    .callback({ code: 'c' }, { status: 200, text: `<script>${script}</script>` })

describeChecks(authorizeAndComplete, {
  'rap-oauth/tool/acknowledge-with-200': {
    pass: { '200, and a message': recording().invoke().oauth() },
    violation: {
      '202': recording().invoke({}, 202).oauth(),
      '404': recording().invoke({}, 404).gaveUp(),
      '500': recording().invoke({}, 500).gaveUp(),
    },
    inconclusive: {
      '200, and nothing after it': nothing,
      'no connection': recording().invoke({}, 'refused'),
      'no answer': recording().invoke({}, 'open'),
      '401': recording().invoke({}, 401).gaveUp(),
      '403': recording().invoke({}, 403).gaveUp(),
    },
  },
  'rap-oauth/tool/send-oauth-message': {
    pass: { 'it came': recording().invoke().oauth() },
    violation: { 'a result came instead': recording().invoke().result() },
    inconclusive: { 'the invocation was not answered': recording().invoke({}, 'open') },
  },
  'rap-oauth/tool/oauth-message-valid': {
    pass: {
      valid: recording().invoke().oauth(),
      'with fields of its own': recording().invoke().oauth({ expires: 'soon' }),
      'without call_id': recording().invoke().oauth({ call_id: undefined }),
    },
    violation: {
      'no auth_url': recording().invoke().oauth({ auth_url: undefined }),
      'an empty auth_url': recording().invoke().oauth({ auth_url: '' }),
      'no group_id': recording().invoke().oauth({ group_id: undefined }),
      'an id that is a number': recording().invoke().oauth({ id: 1 }),
      'the second one is broken': recording().invoke().oauth().oauth({ id: null }),
      'no JSON': recording().invoke().oauth().deliver('type=oauth'),
      'no object': recording().invoke().oauth().deliver('["oauth"]'),
    },
    inconclusive: { 'none arrived': recording().invoke().result() },
  },
  'rap-oauth/tool/result-message-valid': {
    pass: {
      'with text': recording().invoke().result('done'),
      'with an empty text': recording().invoke().result(''),
      'with text content': recording()
        .invoke()
        .result(undefined, { text: undefined, content: [{ type: 'text', text: 'done' }] }),
      'with an image': recording()
        .invoke()
        .result(undefined, {
          text: undefined,
          content: [{ type: 'image', data: 'aGk=', mediaType: 'image/png' }],
        }),
    },
    violation: {
      'neither text nor content': recording().invoke().result(undefined, { text: undefined }),
      'a text that is no string': recording().invoke().result(undefined, { text: 3 }),
      'no id': recording().invoke().result('done', { id: undefined }),
      'an unknown kind of content': recording()
        .invoke()
        .result('', { content: [{ type: 'pdf' }] }),
    },
    inconclusive: { 'none arrived': recording().invoke().oauth() },
  },
  'rap-oauth/tool/callback-is-json-post': {
    pass: {
      JSON: completed(),
      'JSON with a charset': recording()
        .invoke()
        .deliver('{}', { type: 'application/json; charset=utf-8' }),
      'JSON in capitals': recording().invoke().deliver('{}', { type: 'Application/JSON' }),
    },
    violation: {
      PUT: recording().invoke().deliver('{}', { method: 'PUT' }),
      'no content type': recording().invoke().deliver('{}', { type: undefined }),
      'plain text': recording().invoke().oauth().deliver('{}', { type: 'text/plain' }),
      'something that begins like JSON': recording()
        .invoke()
        .deliver('{}', { type: 'application/json-seq' }),
    },
    inconclusive: { 'nothing was sent': nothing },
  },
  'rap-oauth/tool/callback-url-verbatim': {
    pass: { unchanged: completed() },
    violation: {
      'the query was dropped': recording()
        .invoke()
        .oauth()
        .deliver('{}', { url: 'http://127.0.0.1:4000/callback/call-1' }),
      'the path was decoded': recording()
        .invoke({ callback_url: 'http://127.0.0.1:4000/a%2Fb' })
        .deliver('{}', { url: 'http://127.0.0.1:4000/a/b' }),
    },
    inconclusive: { 'nothing was sent': nothing },
  },
  'rap-oauth/tool/echo-group-id': {
    pass: { 'it comes back': completed() },
    violation: { 'another comes back': recording().invoke().oauth({ group_id: 'x' }) },
    inconclusive: { 'no message': nothing },
  },
  'rap-oauth/tool/echo-id': {
    pass: { 'it comes back': completed() },
    violation: { 'the call_id comes back as id': recording().invoke().oauth({ id: 'secondary' }) },
    inconclusive: { 'no message': nothing },
  },
  'rap-oauth/tool/echo-call-id': {
    pass: { 'it comes back': completed() },
    violation: { 'null comes back': recording().invoke().oauth({ call_id: null }) },
    inconclusive: { 'no message': nothing },
  },
  'rap-oauth/tool/auth-url-complete': {
    pass: { 'the provider saw the request': recording().asked() },
    violation: {
      'a relative URL': recording().invoke().oauth({ auth_url: '/authorize?x=1' }),
      'no string': recording().invoke().oauth({ auth_url: 7 }),
      'it led to a page of the tool': recording()
        .invoke()
        .oauth()
        .step('visited', { ended: 'page', status: 200, url: toolOrigin }),
      'it must not be visited': recording()
        .invoke()
        .oauth()
        .step('visited', { ended: 'blocked', url: 'javascript:1', reason: 'scheme' }),
    },
    inconclusive: {
      'no oauth message': nothing,
      'the URL was not visited': recording().invoke().oauth(),
    },
  },
  'rap-oauth/tool/auth-url-https': {
    pass: {
      https: recording().invoke().oauth(),
      'HTTPS in capitals': recording().invoke().oauth({ auth_url: 'HTTPS://provider.example/' }),
    },
    violation: {
      http: recording().invoke().oauth({ auth_url: 'http://provider.example/authorize' }),
      javascript: recording().invoke().oauth({ auth_url: 'javascript:location="https:"' }),
      nothing: recording().invoke().oauth({ auth_url: undefined }),
    },
    inconclusive: { 'no oauth message': nothing },
  },
  'oauth-client/authorization-request-valid': {
    pass: { valid: recording().asked() },
    violation: {
      'an unregistered redirect URI': requested({ valid: false, error: 'invalid_request' }),
    },
    inconclusive: { 'no request': recording().invoke().oauth() },
  },
  'oauth-client/request-scopes': {
    pass: {
      'what is declared': recording().asked(),
      'more than that': requested({ scopes: ['openid', 'items:read', 'items:write'] }),
      'any, where none is declared': [requested({ scopes: ['x'] }), { scopes: undefined }],
      'no scope, where none is needed': [requested({ scopes: [] }), { scopes: [] }],
    },
    violation: {
      'another scope': requested({ scopes: ['items:write'] }),
      'no scope': requested({ scopes: [] }),
      'no scope, where none is declared': [requested({ scopes: [] }), { scopes: undefined }],
    },
    inconclusive: { 'no request': recording().invoke().oauth() },
  },
  'oauth-client/minimum-scopes': {
    pass: {
      'what is declared': recording().asked(),
      'with scopes of the flow itself': requested({
        scopes: ['items:read', 'openid', 'offline_access'],
      }),
      'less than declared': [
        requested({ scopes: ['items:read'] }),
        { scopes: ['items:read', 'items:write'] },
      ],
      'no scope, where none is needed': [requested({ scopes: [] }), { scopes: [] }],
    },
    violation: {
      'a scope beyond': requested({ scopes: ['items:read', 'items:write'] }),
      'a scope, where none is needed': [requested({ scopes: ['items:read'] }), { scopes: [] }],
    },
    inconclusive: {
      'no request': recording().invoke().oauth(),
      'no scope': requested({ scopes: [] }),
    },
    'not-applicable': { 'nothing is declared': [recording().asked(), { scopes: undefined }] },
  },
  'oauth-client/redirect-to-own-endpoint': {
    pass: { 'the browser came back': recording().authorized() },
    violation: {
      'to a foreign origin': recording()
        .invoke()
        .oauth()
        .authorizationRequest({ redirectUri: 'https://evil.example/cb' })
        .step('visited', { ended: 'blocked', url: 'https://evil.example/cb?code=1', reason: 'x' }),
      'to a foreign origin that the provider refuses': recording()
        .step('deployment', { origins: [toolOrigin] })
        .invoke()
        .oauth()
        .authorizationRequest({ redirectUri: 'https://evil.example/cb', valid: false }),
    },
    inconclusive: {
      'no redirect_uri': requested({ redirectUri: undefined }),
      'nobody came back': recording().asked(),
      'something else was blocked': recording()
        .asked()
        .step('visited', { ended: 'blocked', url: 'https://elsewhere.example', reason: 'x' }),
      'no request': recording().invoke().oauth(),
    },
  },
  'oauth-client/pkce-s256': {
    pass: { 'challenge and verifier match': recording().authorized() },
    violation: {
      plain: requested({ codeChallengeMethod: 'plain' }),
      'no method': requested({ codeChallengeMethod: undefined }),
      'no challenge': requested({ codeChallenge: undefined }),
      'a challenge of another length': requested({ codeChallenge: 'c'.repeat(44) }),
      'no verifier': recording().asked().callback().refused('x', { verifier: 'missing' }),
      'another verifier': recording().asked().callback().refused('x', { verifier: 'mismatched' }),
    },
    inconclusive: {
      'no request': recording().invoke().oauth(),
      'no token request': recording().asked().callback(),
    },
  },
  'oauth-client/handle-callback': {
    pass: {
      'a page': recording().asked().callback(),
      'a redirect': recording().asked().callback({ code: 'c' }, 302),
    },
    violation: {
      '404': recording().asked().callback({ code: 'c' }, 404),
      '500': recording().asked().callback({ code: 'c' }, 500),
      'nobody listens': recording().asked().callback({ code: 'c' }, 'refused'),
    },
    inconclusive: {
      'a page that takes longer than the run waits': recording()
        .asked()
        .callback({ code: 'c' }, 'late'),
      'no answer at all': recording().asked().callback({ code: 'c' }, 'open'),
      'no code came back': recording().asked().callback({ error: 'denied' }),
      'the call may have timed out before': [
        recording().asked().after(9500).callback({ code: 'c' }, 404),
        { pendingTimeoutMs: 10_000 },
      ],
    },
  },
  'oauth-client/exchange-code': {
    pass: { 'tokens were issued': recording().authorized() },
    violation: {
      'the request was refused': recording().asked().callback().refused().gaveUp(),
      'none came': recording().asked().callback().gaveUp(),
      'none came, and the page only closes itself': scripted('window.close()').gaveUp(),
    },
    inconclusive: {
      'no code came back': recording().asked(),
      'the page may finish by its script': scripted('fetch("/finish" + location.search)').gaveUp(),
    },
  },
  'oauth-client/code-used-once': {
    pass: {
      once: recording().authorized(),
      'a refresh does not count': recording().authorized().refresh('refresh_token-1'),
      'once it had found out how to authenticate': recording()
        .asked()
        .callback()
        .refused('invalid_client')
        .grant(),
    },
    violation: {
      twice: recording().authorized().grant(),
      'again after it was refused': recording().asked().callback().refused().refused(),
    },
    inconclusive: { never: recording().asked().callback() },
  },
  'oauth-client/retry-operation': {
    pass: { 'with the new token': recording().completed() },
    violation: { 'not at all': recording().authorized().result('done') },
    inconclusive: { 'no token': recording().asked().callback().refused() },
  },
  'oauth-client/token-in-header': {
    pass: { 'in the header': recording().authorized().access().access() },
    violation: {
      'in the query': recording().authorized().access().access({ credential: 'query' }),
      'in the body': recording().authorized().access({ credential: 'body' }),
    },
    inconclusive: {
      'no token was seen': recording().authorized().access({ token: undefined }),
      'the API was not called': recording().authorized(),
    },
  },
  'oauth-client/complete-call': {
    pass: { 'after the retry': recording().completed() },
    violation: {
      'not at all': recording().authorized().access().gaveUp(),
      'before the retry': recording().authorized().result().access().window(),
    },
    inconclusive: { 'the retry was not served': recording().authorized().result() },
  },
  'rap-oauth/tool/single-result': {
    pass: {
      one: completed(),
      'one whose delivery the tool gave up, and then repeated': gaveUpDelivering()
        .result()
        .window(),
    },
    violation: {
      two: completed().result('again'),
      'the same once more, though it was answered': completed().result(),
      'another one after a delivery that was given up': gaveUpDelivering().result('again').window(),
      'the same twice after a delivery that was given up': gaveUpDelivering()
        .result()
        .result()
        .window(),
    },
    inconclusive: { none: recording().authorized().window() },
  },
})

test('the message of a changed callback URL shows both', () => {
  const url = 'http://127.0.0.1:4000/callback/call-1'
  const found = judge(
    authorizeAndComplete,
    'rap-oauth/tool/callback-url-verbatim',
    recording().invoke().deliver('{}', { url }),
  )
  expect(found).toMatchObject({ expected: `${url}?sig=1`, actual: url })
})

test('a redirect URI that the browser writes in another way is still recognised', () => {
  const t = recording().invoke().oauth().authorizationRequest({ redirectUri: toolOrigin })
  t.decision().browse(`${toolOrigin}/?code=c`)
  const found = judge(authorizeAndComplete, 'oauth-client/redirect-to-own-endpoint', t)
  expect(found.outcome).toBe('pass')
  expect(redirectUri).not.toContain(providerOrigin)
})

test('an empty body is named as such', () => {
  const t = recording().invoke().oauth().deliver('')
  const found = judge(authorizeAndComplete, 'rap-oauth/tool/oauth-message-valid', t)
  expect(found).toMatchObject({ outcome: 'violation', actual: 'no body' })
})

test('a body that the harness cut is not called broken', () => {
  const t = recording().invoke().oauth()
  t.event({
    type: 'request',
    channel: 'callback',
    exchange: 'big',
    call: 'call-1',
    method: 'POST',
    url: t.sent.callback_url,
    headers: { 'content-type': 'application/json' },
    body: { text: '{"type":"tool_result","text":"', bytes: 1_048_577, truncated: true },
  })
  const found = judge(authorizeAndComplete, 'rap-oauth/tool/result-message-valid', t)
  expect(found.outcome).toBe('inconclusive')
})

test('a tool that works but never answers the invocation is not called unproven', () => {
  const t = recording().invoke({}, 'open').oauth()
  t.after(7000).event({
    type: 'failure',
    channel: 'invocation',
    exchange: 'x1',
    call: 'call-1',
    code: 'timeout',
    message: 'no complete answer within 7000 ms',
  })
  const found = judge(authorizeAndComplete, 'rap-oauth/tool/acknowledge-with-200', t)
  expect(found.outcome).toBe('violation')
})

test('a tool that refuses the browser does not answer the callback', () => {
  const t = recording().asked().callback({ code: 'c' }, 'refused')
  const found = judge(authorizeAndComplete, 'oauth-client/handle-callback', t)
  expect(found.outcome).toBe('violation')
})
