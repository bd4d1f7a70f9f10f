import { createHash } from 'node:crypto'
import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import type { Sighting } from '../../../../harness/engine/index.ts'
import {
  describeChecks,
  judge,
  merged,
  recording,
  sighting,
  type Cases,
  type Ending,
  type Recording,
} from '../testing.ts'
import { wholeRun } from './whole-run.ts'

const tokens = ['access_token', 'refresh_token', 'authorization_code']
const credentials = ['client_secret', 'code_verifier', 'id_token', 'registration_access_token']
const secretsOf = (kinds: string[], make: (kind: string) => Recording): Record<string, Recording> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)]))

/** A scenario whose call completed; a grant was issued, so there are secrets. */
const completed = () => recording('authorize-and-complete').completed()
const without = () => recording().invoke().oauth()
const refusedByApi = () =>
  recording().authorized().upstream('/resource/items').access({ outcome: 'refused' })
const page = (at: string, kind: string, ending: Ending = 200) =>
  completed().browse('http://127.0.0.1:4100/done', ending, sighting(kind, at))

const font = '<link rel="stylesheet" href="https://fonts.example/css">'
const pageOf = (text: string, type = 'text/html'): Ending => ({
  status: 200,
  headers: { 'content-type': type },
  text,
})
const afterwards = (...of: Parameters<typeof pageOf>) =>
  completed().callback({ code: 'c', state: 's' }, pageOf(...of))

/** A request of the tool to its provider. */
function requested(path: string, ...secrets: Sighting[]): Recording {
  const place = { channel: 'provider', exchange: 'p1' } as const
  const url = `https://127.0.0.1:4200${path}`
  return completed().event(
    { type: 'request', ...place, method: 'POST', url, headers: {} },
    ...secrets,
  )
}

/** The browser comes back to the tool. */
function returned(...secrets: Sighting[]): Recording {
  const place = { channel: 'browser', exchange: 'b1' } as const
  const url = 'http://127.0.0.1:4100/oauth/callback?code=c&state=s'
  return completed().event(
    { type: 'request', ...place, method: 'GET', url, headers: {} },
    ...secrets,
  )
}

/** The tool redirects the browser, with the code that it brought. */
function handedOn(
  location: string,
  { brought = sighting('authorization_code', 'url'), body = '' } = {},
): Recording {
  const origins = ['http://127.0.0.1:4100', 'http://localhost:4100']
  return returned(brought)
    .step('deployment', { name: 'shared', origins })
    .event(
      {
        type: 'response',
        channel: 'browser',
        exchange: 'b1',
        status: 302,
        headers: { location },
        ...(body && { body: { text: body, bytes: body.length } }),
      },
      sighting('authorization_code', 'headers.location'),
      ...(body ? [sighting('authorization_code', 'body.text')] : []),
    )
}

type Detail = Readonly<Record<string, unknown>>

/** Authorization requests with these challenges, each with a state of its own. */
const s256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
function challenged(...challenges: readonly (string | undefined)[]): Recording {
  const t = recording().invoke()
  for (const [index, codeChallenge] of challenges.entries())
    t.authorizationRequest({ state: `state ${index}`, codeChallenge })
  return t
}

/** A flow with that state and without a code challenge. */
const unverified = (state: string) =>
  recording().invoke().authorizationRequest({ state, codeChallenge: undefined })

/** A request in each of two scenarios. */
const inTwoScenarios = (...[one, two]: readonly [Detail, Detail]) =>
  merged(
    recording().invoke().authorizationRequest(one),
    recording('other', 5000).invoke().authorizationRequest(two),
  )

const inResults: Cases = {
  pass: {
    'nothing leaks': completed(),
    'other kinds are for other checks': completed().result('', {}, sighting('client_secret')),
    'other outputs are for other checks': completed().oauth({}, sighting('access_token')),
  },
  violation: {
    ...secretsOf(tokens, (kind) => completed().result('x', {}, sighting(kind))),
    'in base64': completed().result('x', {}, sighting('access_token', 'body.text', 'base64')),
    'in a subscription event': completed().message(
      { type: 'subscription_event' },
      sighting('access_token'),
    ),
  },
  inconclusive: {
    'no token was issued': without().result('Error: no'),
    'no result was sent': recording().authorized(),
  },
}

/** What the gate judges of its own call, here of every call: one that is wrong suffices. */
const beside = (wrong: Recording) => merged(completed(), wrong)
const other = () => recording('other', 5000).invoke().oauth()
const anywhere = (wrong: Recording): Cases => ({
  pass: { 'all calls do': completed() },
  violation: { 'one call of one scenario does not': beside(wrong) },
  inconclusive: { 'no message was sent': recording().invoke().gaveUp() },
})
const everywhere: Record<string, Cases> = {
  'rap-oauth/tool/echo-id': anywhere(other().result('', { id: 'x' })),
  'rap-oauth/tool/echo-group-id': anywhere(other().result('', { group_id: 'x' })),
  'rap-oauth/tool/echo-call-id': anywhere(other().result('', { call_id: 'x' })),
  'rap-oauth/tool/oauth-message-valid': anywhere(other().oauth({ auth_url: '' })),
  'rap-oauth/tool/result-message-valid': anywhere(other().result('', { text: 7 })),
  'rap-oauth/tool/auth-url-complete': anywhere(other().oauth({ auth_url: '/authorize?x=1' })),
  'rap-oauth/tool/auth-url-https': anywhere(other().oauth({ auth_url: 'http://p.example/a' })),
  'rap-oauth/tool/callback-is-json-post': anywhere(other().deliver('{}', { method: 'PUT' })),
  'rap-oauth/tool/callback-url-verbatim': anywhere(other().deliver('{}', { url: 'http://x/' })),
}

describeChecks(wholeRun, {
  'rap-oauth/tool/detect-before-attempt': {
    pass: {
      'asked first': completed(),
      'a probe without a token': recording()
        .invoke()
        .access({ token: undefined, credential: 'none', outcome: 'refused' })
        .oauth(),
    },
    violation: {
      'an attempt with a token of its own': recording()
        .invoke()
        .access({ token: undefined, credential: 'header', outcome: 'refused' })
        .oauth(),
    },
    inconclusive: { 'nobody was asked': recording().invoke().result() },
  },
  'rap-oauth/tool/acknowledge-with-200': {
    pass: {
      'every call': completed().completed(),
      'one that was refused has no message': completed().invoke({}, 500).gaveUp(),
      'one that was refused says so in a result, too': completed()
        .invoke({}, 422)
        .result('Error: too large'),
      'one that came too fast': completed().invoke({}, 429).gaveUp(),
      'a bad invocation may be refused': merged(
        completed(),
        recording('unknown-operation').invoke({}, 400).result('Unbekannt.'),
      ),
      'the tool was stopped while it answered': completed()
        .step('stopped')
        .invoke({}, 'reset')
        .result('Error: interrupted'),
      'an answer that came too late is for another check': completed().invoke({}, 'late').result(),
    },
    violation: {
      'a later call is accepted': completed().invoke({}, 202).result(),
      'a later call fails, and is carried out': completed().invoke({}, 500).result(),
      'a later call fails, and its user is asked': completed().invoke({}, 500).oauth(),
      'a later call is closed, and carried out': completed().invoke({}, 'reset').result(),
    },
    inconclusive: { 'nothing was taken': recording().invoke({}, 500).gaveUp() },
  },
  ...everywhere,
  'oauth-client/token-bound-to-user': {
    pass: {
      'every user is asked first': merged(
        completed().invoke().result(),
        recording('b').completed({ user_id: 'user-2' }),
      ),
      'the same name in another scenario is another user': merged(
        completed(),
        recording('b', 5).completed(),
      ),
      'callers without user_id are left out': merged(
        completed(),
        recording('b').completed({ user_id: 'user-2' }),
        recording('c').invoke({ user_id: null }).result('3 items'),
      ),
      'a call waits for what its user is asked in another one': merged(
        completed(),
        recording('b').completed({ user_id: 'user-2' }),
        recording('c')
          .invoke({ user_id: 'user-3' })
          .completed({ user_id: 'user-4' })
          .access()
          .authorized({ user_id: 'user-3' })
          .on('call-1')
          .result(),
      ),
      'one without a user uses its token meanwhile': merged(
        completed(),
        recording('b').completed({ user_id: 'user-2' }),
        recording('c')
          .invoke({ user_id: 'user-3' })
          .invoke({ user_id: null })
          .access()
          .on('call-1')
          .result(),
      ),
      'a user is refused with an error': merged(
        completed(),
        recording('b').completed({ user_id: 'user-2' }),
        recording('c').invoke({ user_id: 'user-3' }).result('Error: no'),
      ),
    },
    violation: {
      'a new user is served with data of another': completed()
        .invoke({ user_id: 'new' })
        .result('3 items of subject-of-user'),
      "a new user is served with another's token": completed()
        .invoke({ user_id: 'new' })
        .on('call-1')
        .access()
        .on('call-2')
        .result('3 items'),
    },
    inconclusive: {
      'one user only': completed(),
      'nobody was asked': recording().invoke().gaveUp(),
      'nobody has a token': merged(
        recording().asked(),
        recording('b').asked({ user_id: 'user-2' }),
      ),
    },
  },
  'oauth-client/no-secrets-in-results': inResults,
  'oauth-client/no-secrets-in-output': {
    pass: {
      'nothing leaks': completed(),
      'results are for another check': completed().result('x', {}, sighting('access_token')),
      'the provider may show what it issued': completed().event(
        { type: 'response', channel: 'provider', exchange: 'p1', status: 200, headers: {} },
        sighting('access_token'),
      ),
      'a redirected token request is for another check': completed().event(
        {
          type: 'request',
          channel: 'callback',
          call: elsewhereCall,
          exchange: 'x9',
          method: 'POST',
          url: 'http://127.0.0.1:4300/elsewhere',
          headers: {},
        },
        sighting('authorization_code', 'body.text'),
      ),
      "the browser's own query may go along in a redirect": handedOn('/en/oauth/callback?code=c'),
      'to another origin of the tool, too': handedOn('http://localhost:4100/oauth/callback?code=c'),
      'and in the note that names the same URL, in HTML': handedOn('/fin?state=s&code=c-1', {
        body: '<a href="/fin?state=s&amp;code=c-1">See Other</a>.',
      }),
      'and in a note in words': handedOn('http://127.0.0.1:4100/fin?code=c-1', {
        body: 'Found. Redirecting to /fin?code=c-1',
      }),
    },
    violation: {
      ...secretsOf(tokens, (kind) => page('body.text', kind)),
      'in a header': page('headers.set-cookie', 'access_token'),
      'in a redirect to somebody else': handedOn('https://elsewhere.example/?code=c'),
      'in a redirect, another than was brought': handedOn('/oauth/callback?code=d', {
        brought: { ...sighting('authorization_code', 'url'), id: 'authorization_code-2' },
      }),
      'in the body of a redirect, beside the URL': handedOn('/fin?code=c-1', {
        body: '<a href="/fin?code=c-1">See Other</a>. Your code is c-1',
      }),
      'in the body of a redirect that is without it': handedOn('/fin', {
        body: 'Your code is c-1',
      }),
      'in an oauth message': completed().oauth({}, sighting('refresh_token')),
      'in a header beside a result': completed().result(
        'x',
        {},
        sighting('access_token', 'headers.authorization'),
      ),
      'in what is no message': completed().deliver('at_…', {}, sighting('access_token')),
      'in the acknowledgement': completed().event(
        { type: 'response', channel: 'invocation', exchange: 'i', status: 200, headers: {} },
        sighting('access_token'),
      ),
      'in the discovery document': completed().event(
        { type: 'response', channel: 'discovery', exchange: 'd', status: 200, headers: {} },
        sighting('access_token'),
      ),
    },
    inconclusive: { 'no token was issued': without() },
  },
  'oauth-client/no-secrets-in-logs': {
    pass: {
      'it prints nothing': completed(),
      'it prints harmless lines': completed().output('shared stdout', 'listening'),
      'its log is harmless': [
        completed().output('log tool.log', 'served'),
        { driven: 'url', logs: ['tool.log'] },
      ],
      'a store is no log': completed().output('store db', 'x', sighting('access_token', 'text')),
    },
    violation: {
      ...secretsOf(tokens, (kind) =>
        completed().output('shared stdout', 'x', sighting(kind, 'text')),
      ),
      'on standard error': completed().output('own stderr', 'x', sighting('access_token', 'text')),
      'in a log file': [
        completed().output('log tool.log', 'x', sighting('access_token', 'text')),
        { driven: 'url', logs: ['tool.log'] },
      ],
    },
    inconclusive: {
      'no token was issued': without(),
      'the declared logs could not be read': [completed(), { logs: ['tool.log'] }],
    },
    'not-applicable': {
      'its output is not seen': [completed(), { driven: 'url' }],
      'it runs inside this process': [completed(), { driven: 'module' }],
    },
  },
  'oauth-client/no-client-secret-in-output': {
    pass: { 'nothing leaks': completed() },
    violation: {
      ...secretsOf(credentials, (kind) => completed().result('x', {}, sighting(kind))),
      'on a page': page('body.text', 'client_secret'),
      'in a log': completed().output('shared stdout', 'x', sighting('code_verifier', 'text')),
      'in an oauth message': completed().oauth({}, sighting('client_secret')),
      'the verifier in the state': returned(sighting('code_verifier', 'url', 'base64url')),
    },
    inconclusive: { 'no token was issued': without() },
  },
  'oauth-client/no-secret-in-auth-url': {
    pass: {
      'nothing leaks': completed(),
      'results are for another check': completed().result('x', {}, sighting('client_secret')),
    },
    violation: secretsOf([...tokens, 'client_secret'], (kind) =>
      completed().oauth({}, sighting(kind)),
    ),
    inconclusive: {
      'no token was issued': without(),
      'nobody was asked': recording().invoke().grant(),
    },
  },
  'oauth-client/no-secret-in-request-url': {
    pass: {
      'nothing leaks': completed(),
      'in the body': requested('/token', sighting('refresh_token', 'body.text')),
      'the access token for the API': requested(
        '/resource/items',
        sighting('access_token', 'headers.authorization'),
      ),
      'the authorization request is for another check': requested(
        '/authorize?x',
        sighting('client_secret', 'url'),
      ),
    },
    violation: {
      'in the query of a refresh': requested('/token?r=', sighting('refresh_token', 'url')),
      'in the query of a pushed request': requested('/par?s=', sighting('client_secret', 'url')),
      ...secretsOf(
        ['refresh_token', 'authorization_code', 'client_secret', 'code_verifier'],
        (kind) => requested('/resource/items', sighting(kind, 'headers.x-debug')),
      ),
      'the refresh token in the body for an API': requested('/mcp', sighting('refresh_token')),
    },
    inconclusive: {
      'no token was issued': without(),
      'nothing was asked of the provider': recording().asked().grant(),
    },
  },
  'oauth-client/token-in-header': {
    pass: { 'in each': completed() },
    violation: {
      'once elsewhere': beside(recording('other', 5000).invoke().access({ credential: 'query' })),
    },
    inconclusive: { 'no token was sent': recording().asked().grant() },
  },
  'oauth-client/pkce-s256': {
    pass: {
      'a challenge for each flow': challenged('one', 'two'),
      'a link that is opened twice': challenged('one', 'two').authorizationRequest({
        state: 'state 1',
        codeChallenge: 'two',
      }),
    },
    violation: {
      'one for two flows': challenged('one', 'one'),
      'one that follows from the state': challenged('one', s256(s256('state 1'))),
      'one by a weaker method, which the provider refuses': challenged('one').authorizationRequest({
        state: 'state 1',
        codeChallenge: 'two',
        codeChallengeMethod: 'plain',
        valid: false,
      }),
      'one in two scenarios, with the same state': merged(
        challenged('one'),
        recording('other', 5000)
          .invoke()
          .authorizationRequest({ state: 'state 0', codeChallenge: 'one' }),
      ),
    },
    inconclusive: {
      'there was one flow only': challenged('one'),
      'there is no challenge': challenged(undefined, undefined),
    },
  },
  'oauth-client/state-unpredictable': {
    pass: {
      'another one each time': inTwoScenarios({ state: 's' }, { state: 't' }),
      'a link that is opened again': merged(
        unverified('s').authorizationRequest({ state: 's', codeChallenge: undefined }),
        recording('other', 5000).invoke().authorizationRequest({ state: 't' }),
      ),
      'one link for two calls of a user that wait together': merged(
        unverified('s').invoke().authorizationRequest({ state: 's', codeChallenge: undefined }),
        recording('other', 5000).invoke().authorizationRequest({ state: 't' }),
      ),
      'a request that was pushed in vain before': merged(
        recording().event({
          type: 'provider',
          event: 'authorization-request',
          exchange: 'p1',
          detail: { state: 's', codeChallenge: 'c'.repeat(43), valid: false },
        }),
        recording('other', 5000).invoke().authorizationRequest({ state: 's' }),
        recording('third', 9000).invoke().authorizationRequest({ state: 't' }),
      ),
      'a link that is opened again when its flow is over': merged(
        unverified('s').grant().authorizationRequest({ state: 's', codeChallenge: undefined }),
        recording('other', 5000).invoke().authorizationRequest({ state: 't' }),
      ),
    },
    violation: {
      'the same with another challenge': inTwoScenarios(
        { state: 's', codeChallenge: 'one' },
        { state: 's', codeChallenge: 'two' },
      ),
      'the same in two scenarios': inTwoScenarios({ state: 's' }, { state: 's' }),
      'the same in two scenarios, and no challenge': inTwoScenarios(
        { state: 's', codeChallenge: undefined },
        { state: 's', codeChallenge: undefined },
      ),
      'the same for two users of a scenario': unverified('s')
        .invoke({ user_id: 'user-2' })
        .authorizationRequest({ state: 's', codeChallenge: undefined }),
      'the same for the next call of a user, when its flow is over': unverified('s')
        .grant()
        .invoke()
        .authorizationRequest({ state: 's', codeChallenge: undefined }),
    },
    inconclusive: {
      'there was one flow only': unverified('s'),
      'there is no state': inTwoScenarios({ state: undefined }, { state: undefined }),
    },
  },
  'oauth-client/no-foreign-resources-on-callback-page': {
    pass: {
      'a page with a style of its own': afterwards('<link rel="stylesheet" href="/style.css">'),
      'a page with a link': afterwards('<a href="https://agent.example/">Back</a>'),
      'no page': completed().callback({ code: 'c', state: 's' }, 204),
      'text that looks like a page': afterwards(font, 'text/plain'),
      'a page whose address has no code any more': completed()
        .callback({ code: 'c', state: 's' }, 302)
        .browse('http://127.0.0.1:4100/done', pageOf(font)),
    },
    violation: {
      'a font': afterwards(font),
      'on the page about an error': recording()
        .asked()
        .callback({ error: 'access_denied', state: 's' }, pageOf(font)),
    },
    inconclusive: {
      'nobody came back': recording().asked(),
      'the callback was not answered': recording().asked().callback({ code: 'c' }, 'refused'),
      'its address could not be kept': recording().asked().browse('[code_verifier]', pageOf(font)),
    },
  },
  'rap-oauth/tool/error-in-text': {
    pass: {
      'in text': without().result('Error: denied'),
      'in both': without().result('Error: denied', { content: [{ type: 'text', text: 'no' }] }),
    },
    violation: {
      'in content only': without().result('', {
        text: undefined,
        content: [{ type: 'text', text: 'Error: denied' }],
      }),
    },
    inconclusive: {
      'nothing failed': completed(),
      'no words at all': without().result('', { text: undefined, content: [] }),
    },
  },
  'oauth-client/encrypt-at-rest': {
    pass: {
      'the store shows nothing': [
        completed().output('store db', 'encrypted'),
        { tokenStore: ['db'] },
      ],
    },
    violation: Object.fromEntries(
      ['access_token', 'refresh_token'].map((kind) => [
        kind,
        [completed().output('store db', 'x', sighting(kind, 'text')), { tokenStore: ['db'] }],
      ]),
    ),
    inconclusive: {
      'nothing could be read': [completed(), { tokenStore: ['db'] }],
      'the store is empty': [completed().output('store db', ''), { tokenStore: ['db'] }],
      'no token was issued': [without().output('store db', 'x'), { tokenStore: ['db'] }],
    },
    'not-applicable': { 'no store is declared': completed() },
  },
  'rap-oauth/tool/error-prefix': {
    pass: {
      'with the prefix': without().result('Error: denied'),
      'results of what succeeded are left out': merged(
        completed(),
        recording('b').invoke().oauth().result('Error: denied'),
      ),
    },
    violation: {
      'without it': without().result('access denied'),
      'with another': without().result('ERROR denied'),
      'no text': without().result('', { text: undefined, content: [] }),
      'where the API failed': refusedByApi().result('The service answered 500.'),
    },
    inconclusive: {
      'nothing failed': completed(),
      'the API served one call at least': completed().result('2 items'),
      'what failed was not asked before': recording().invoke().result('oops'),
    },
  },
  'rap-oauth/tool/no-internals-in-errors': {
    pass: {
      'plain words': without().result('Error: the provider answered 500 at 10:30'),
      'a list of steps': without().result('Error: try again\n1. open the page\n2. approve'),
    },
    violation: {
      JavaScript: without().result('Error: x\n    at fn (/app/server.js:12:3)'),
      Python: without().result('Traceback (most recent call last):\n  File "a.py", line 3'),
      Go: without().result('panic: x\n\ngoroutine 1 [running]:'),
      Java: without().result('java.lang.X\n\tat com.example.Tool.run(Tool.java:12)'),
      Rust: without().result("thread 'main' panicked at src/main.rs:4:5"),
      PHP: without().result('#0 /app/tool.php(12): run()'),
      '.NET': without().result('Error: x\n   at Tools.Api.Get() in /src/Api.cs:line 42'),
      Ruby: without().result("Error: x\n/app/lib/api.rb:12:in `get'"),
      Elixir: without().result('** (Error) x\n    (tool 0.1.0) lib/tool/api.ex:12: Tool.Api.get/1'),
      'JavaScript, in JSON': without().result(
        '{"stack":"Error: x\\n    at fn (/app/server.js:12:3)"}',
      ),
    },
    inconclusive: { 'no result': without() },
  },
})

test('a leak names secret, encoding, scenario and place, with what stands around it', () => {
  const text = `${'a'.repeat(500)} [secret access_token-1 base64] ${'b'.repeat(500)}`
  const t = completed().result(text, {}, sighting('access_token', 'body.text', 'base64'))
  const found = judge(wholeRun, 'oauth-client/no-secrets-in-results', t)
  expect(found).toMatchObject({
    message:
      'access_token (access_token-1, base64) was found in a callback request of authorize-and-complete',
    actual: expect.stringMatching(
      /^the message to http:\S+, body\.text: a{79} \[secret access_token-1 base64\] b+$/,
    ),
  })
  expect(found.actual?.length).toBeLessThan(400)
})

test('of many leaks the first ten are cited and all are counted', () => {
  const t = completed()
  for (let index = 0; index < 12; index += 1) t.result('x', {}, sighting('access_token'))
  const found = judge(wholeRun, 'oauth-client/no-secrets-in-results', t)
  expect(found.message).toContain('and in 11 more places')
  expect(found.evidence).toHaveLength(10)
})

test('the refusal of an invocation that nobody could carry out is no service', () => {
  const asked = merged(
    completed(),
    recording('b').completed({ user_id: 'user-2' }),
    recording('unknown-operation', 500)
      .invoke({ operation: 'no-such-operation-1', user_id: 'user-3' })
      .result('There is no operation no-such-operation-1'),
  )
  const found = judge(wholeRun, 'oauth-client/token-bound-to-user', asked)
  expect(found.outcome).toBe('pass')
})

test('an access token in a redirect of the tool is a leak', () => {
  const t = page('headers.location', 'access_token', 302)
  expect(judge(wholeRun, 'oauth-client/no-secrets-in-output', t).outcome).toBe('violation')
})

test('the earliest oauth message of the run counts, not that of the first scenario', () => {
  const t = merged(
    recording('a').invoke({}, 'open').after(5000).oauth(),
    recording('b', 100).completed(),
  )
  expect(judge(wholeRun, 'rap-oauth/tool/detect-before-attempt', t).outcome).toBe('pass')
})

test.each(['\n', '\n at x', 'at a.', '#1 /(1', 'File "', '\n\t\t', 'at a((', '1', ':'])(
  'a result full of %j is read before the deadline',
  (filling) => {
    const text = filling.repeat(200_000 / filling.length)
    // A pattern that looks at each place from each place before it takes minutes: the deadline of the test ends it.
    const t = recording().invoke().result(`Error: ${text}`)
    expect(judge(wholeRun, 'rap-oauth/tool/no-internals-in-errors', t).outcome).toBe('pass')
  },
)

describe('what was not kept', () => {
  test('was scanned all the same by the recorder, and does not spoil the proof', () => {
    const t = completed().output('shared stdout', 'line').step('recording-limit', { dropped: 9 })
    expect(judge(wholeRun, 'oauth-client/no-secrets-in-logs', t).outcome).toBe('pass')
  })

  test('and was not scanned is not called clean, but a leak stays a leak', () => {
    const store = (...secrets: Parameters<typeof sighting>) =>
      completed()
        .step('unscanned', { kind: 'store' })
        .output('store db', 'x', ...(secrets[0] ? [sighting(...secrets)] : []))
    const judged = (t: Recording) =>
      judge(wholeRun, 'oauth-client/encrypt-at-rest', [t, { tokenStore: ['db'] }]).outcome
    expect(judged(completed().output('store db', 'x'))).toBe('pass')
    expect(judged(completed().step('unscanned', { kind: 'store' }).output('store db', 'x'))).toBe(
      'inconclusive',
    )
    expect(judged(store('access_token', 'text'))).toBe('violation')
    expect(judged(store('unread', 'text'))).toBe('inconclusive')
  })
})
