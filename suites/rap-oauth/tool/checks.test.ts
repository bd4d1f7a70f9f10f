import { describe, expect, test } from 'vitest'
import { Transcript, cite } from '../../../harness/index.ts'
import {
  acceptsTokens,
  afterIssuedToken,
  afterServedRetry,
  answeredCallback,
  asksForAuthorization,
  echoes,
  echoesCallId,
  exchangesCode,
  reportsFailure,
  retriesOperation,
  sendsResult,
  singleResult,
  type Judge,
} from './checks.ts'
import { contextOf, describeJudge, recording, type Cases, type Example } from './testing.ts'
import { callOf } from './view.ts'

function judged(judge: Judge, example: Example) {
  const [recorded, declarations] = Array.isArray(example) ? example : [example, {}]
  const transcript = recorded instanceof Transcript ? recorded : recorded.transcript
  return judge(transcript, contextOf(declarations))
}

function judges(name: string, judge: Judge, cases: Partial<Cases>): void {
  describeJudge(name, cases, (example) => judged(judge, example))
}

/** The browser came back with an error, as after a denial. */
const denied = () => recording().asked().callback({ error: 'access_denied', state: 's' })
const callbackWithError = (_: unknown, t: Transcript) => answeredCallback(t, 'call-1', 'error')

judges('echoes', echoes('id'), {
  pass: { 'every message carries it': recording().invoke().oauth().result() },
  violation: {
    'the oauth message carries another': recording().invoke().oauth({ id: 'x' }).result(),
    'the result carries none': recording().invoke().oauth().result('', { id: undefined }),
    'the result carries another type': recording().invoke({ id: '7' }).result('', { id: 7 }),
  },
  inconclusive: {
    'no message arrived': recording().invoke().gaveUp(),
    'what arrived is no message': recording().invoke().deliver('oops'),
  },
})

test('a message that has no id by its own definition need not echo it', () => {
  const t = recording().invoke().oauth().message({ type: 'view_update', id: undefined })
  expect(judged(echoes('id'), t).outcome).toBe('pass')
})

judges('echoesCallId', echoesCallId(), {
  pass: {
    'a string comes back': recording().invoke().oauth().result(),
    'null comes back as null': recording()
      .invoke({ call_id: null })
      .oauth({ call_id: null })
      .result(),
    'null comes back as nothing': recording()
      .invoke({ call_id: null })
      .oauth({ call_id: undefined }),
    'nothing comes back as null': recording()
      .invoke({ call_id: undefined })
      .oauth({ call_id: null }),
  },
  violation: {
    'a string is dropped': recording().invoke().oauth({ call_id: undefined }),
    'a string is changed in the result': recording().invoke().oauth().result('', { call_id: 'x' }),
    'one is invented for null': recording().invoke({ call_id: null }).oauth({ call_id: 'x' }),
    'an empty one is invented': recording().invoke({ call_id: undefined }).oauth({ call_id: '' }),
  },
  inconclusive: { 'no message arrived': recording().invoke().gaveUp() },
})

judges('asksForAuthorization', asksForAuthorization(), {
  pass: {
    'an oauth message came': recording().invoke().oauth(),
    'and a result after it': recording().invoke().oauth().result(),
  },
  violation: {
    'a result came instead': recording().invoke().result('Error: no'),
    'a result came before it': recording().invoke().result('Error: no').oauth(),
    'nothing came': recording().invoke().gaveUp(),
  },
  inconclusive: {
    'the invocation was refused': recording().invoke({}, 'refused').gaveUp(),
    'the invocation was not answered': recording().invoke({}, 'open').gaveUp(),
    'nothing was waited for': recording().invoke(),
  },
})

test.each([401, 403])('a call that was refused with %i proves nothing', (status) => {
  const t = recording().invoke({}, status).gaveUp()
  expect(judged(asksForAuthorization(), t).outcome).toBe('inconclusive')
})

const completes = sendsResult('call-1', afterServedRetry, 'the retry')

judges('sendsResult', completes, {
  pass: { 'a result came after the served retry': recording().completed() },
  violation: {
    'none came within the deadline': recording().authorized().access().gaveUp(),
    'none came within the window': recording().authorized().access().window(),
  },
  inconclusive: {
    'the prerequisite is missing': recording().authorized().result(),
    'the retry was refused': recording().authorized().access({ outcome: 'refused' }).result(),
    'no result was waited for': recording().authorized().access(),
  },
})

test('a result from before the prerequisite is no answer to it', () => {
  const t = recording().invoke().oauth().result('Error: authorize first').gaveUp()
  const late = t.authorizationRequest().decision().callback().grant()
  const judge = sendsResult('call-1', afterIssuedToken, 'the exchange')
  expect(judged(judge, late.gaveUp()).outcome).not.toBe('pass')
})

judges('reportsFailure', reportsFailure('the denial', callbackWithError), {
  pass: {
    'a text describes it': denied().result('Error: denied'),
    'a content item describes it': denied().result(undefined, {
      text: undefined,
      content: [{ type: 'text', text: 'Error: denied' }],
    }),
    'long after the invocation, but at once after the callback': recording()
      .asked()
      .after(9000)
      .callback({ error: 'access_denied' })
      .result('Error: denied'),
    'after a declared timeout that had not passed': denied().after(3000).result('Error: denied'),
    'late, where no timeout is declared': [
      denied().after(9000).result('Error: denied'),
      { pendingTimeoutMs: undefined },
    ],
  },
  violation: {
    'nothing came': denied().gaveUp(),
    'only the pending timeout ended it': denied().after(4000).result('Error: timed out'),
    'the text is blank': denied().result('  \n'),
    'there are no words': denied().result(undefined, { text: undefined, content: [] }),
  },
  inconclusive: {
    'no callback reached the tool': recording().asked().result('Error: ?'),
    'no result was waited for': denied(),
    'as late as its timeout, but slow in everything': recording()
      .invoke()
      .after(3000)
      .oauth()
      .callback({ error: 'access_denied' })
      .after(4000)
      .result('Error: denied'),
  },
})

test('a result from before the callback does not report what the callback said', () => {
  const t = recording().asked().result('Error: authorize, then call again')
  const judge = reportsFailure('the denial', callbackWithError)
  expect(judged(judge, t.callback({ error: 'access_denied' })).outcome).not.toBe('pass')
})

describe('a callback that never reached the tool', () => {
  const judge = reportsFailure('the denial', callbackWithError)
  const lost = () => recording().asked().callback({ error: 'access_denied' }, 'refused')

  // BUG (both): checks.ts answeredCallback promises proof "that the tool received and answered a callback" but
  // does not look at how the request ended: a refused connection counts as reach.
  test('proves nothing against the tool', () => {
    expect(judged(judge, lost().gaveUp()).outcome).toBe('inconclusive')
  })

  test('proves nothing for the tool', () => {
    const t = lost().after(9000).result('Error: timed out')
    expect(judged(judge, [t, { pendingTimeoutMs: undefined }]).outcome).toBe('inconclusive')
  })
})

judges('singleResult', singleResult(), {
  pass: { 'one, and nothing within the window': recording().completed().window() },
  violation: {
    'two results': recording().completed().result('again').window(),
    'an oauth message after it': recording().completed().oauth().window(),
    'two results, although nobody watched': recording().completed().result('again'),
  },
  inconclusive: {
    'no result': recording().authorized().window(),
    'nobody watched': recording().completed(),
  },
})

test('singleResult tells calls apart', () => {
  const t = recording().completed().completed().window()
  expect(judged(singleResult('call-1'), t).outcome).toBe('pass')
  expect(judged(singleResult('call-2'), t.result('again')).outcome).toBe('violation')
  expect(judged(singleResult('call-1'), t).outcome).toBe('pass')
})

test('a window that ended before the result says nothing about what came after it', () => {
  const t = recording().asked().window().callback().grant().access().result()
  expect(judged(singleResult(), t).outcome).toBe('inconclusive')
})

judges('exchangesCode', exchangesCode(), {
  pass: {
    'tokens were issued': recording().authorized(),
    'tokens were issued at the second try': recording().asked().callback().refused().grant(),
  },
  violation: {
    'the token request was refused': recording().asked().callback().refused(),
    'there was none': recording().asked().callback().gaveUp(),
  },
  inconclusive: {
    'no code came back': recording().asked().callback({ error: 'access_denied' }),
    'nobody came back': recording().asked(),
  },
})

judges('retriesOperation', retriesOperation(), {
  pass: { 'with the new token': recording().authorized().access() },
  violation: {
    'not at all': recording().authorized().result(),
    'without a token': recording().authorized().access({ token: undefined, credential: 'none' }),
    'before the token was issued': recording().asked().callback().access().grant(),
  },
  inconclusive: { 'no token was issued': recording().asked().callback().refused().result() },
})

judges('acceptsTokens', acceptsTokens(), {
  pass: { 'the token is used': recording().authorized().access() },
  violation: {
    'the tool reports an error': recording().authorized().result('Error: bad response'),
    'nothing happens': recording().authorized().gaveUp(),
  },
  inconclusive: { 'no token was issued': recording().asked().callback().gaveUp() },
})

test('prerequisites name what is missing, or cite what they rest on', () => {
  const { transcript } = recording().completed()
  const call = callOf(transcript)
  expect(afterIssuedToken(call)).toEqual(cite(call.grants[0]))
  expect(afterServedRetry(call)).toEqual(cite(call.accesses[0]))
  expect(answeredCallback(transcript, 'call-1', 'code')).toHaveLength(2)
  const none = callOf(recording().invoke().transcript)
  expect([afterIssuedToken(none), afterServedRetry(none)]).toEqual([
    'no token was issued',
    'the protected API did not serve the retried operation',
  ])
  expect(answeredCallback(transcript, 'call-1', 'error')).toMatch('no callback with error')
})
