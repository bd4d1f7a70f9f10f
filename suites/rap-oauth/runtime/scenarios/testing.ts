/** Examples for the judgements that several scenarios share. */

import { authUrl, waits } from '../vocabulary.ts'
import { recording, tokenOf, type Cases, type Recording } from '../testing.ts'

const never = (): Recording => recording().ask().gaveUp(waits.invocation)

export const surfaced: Cases = {
  pass: {
    'in its conversation': recording().running().oauth().shows(),
    'on a surface that tells nobody apart': recording().running().oauth().shows(undefined, ''),
    'while the oauth message still waits for its answer': recording()
      .running()
      .oauth('oauth', { answer: 'open' })
      .shows(),
  },
  violation: {
    'not at all': recording().running().oauth().gaveUp(waits.surfaced, { of: 'oauth' }),
    'the message ended the connection': recording()
      .running()
      .oauth('oauth', { answer: 'ECONNRESET' }),
    'in another conversation': recording()
      .running()
      .oauth()
      .shows(undefined, tokenOf('conv', 9))
      .gaveUp(waits.surfaced, { of: 'oauth' }),
    'changed on its way': recording()
      .running()
      .oauth()
      .shows(`${authUrl(tokenOf('url', 1))}&utm=1`)
      .gaveUp(waits.surfaced, { of: 'oauth' }),
  },
  inconclusive: {
    'its surface cannot be opened': recording()
      .running()
      .step('surface-state', { source: 'sse', url: 'http://127.0.0.1:1/', problem: 'HTTP 404' })
      .oauth()
      .gaveUp(waits.surfaced, { of: 'oauth' }),
    'no invocation': never(),
    'too late': recording().running().oauth().gaveUp(waits.surfaced, { of: 'oauth' }).shows(),
    'the message was never answered, and nothing waited for': recording()
      .running()
      .oauth('oauth', { answer: 'timeout' }),
    'nobody took the message': recording().running().oauth('oauth', { answer: 'ECONNREFUSED' }),
    'the run did not wait for it': recording().running().oauth(),
  },
}

export const pending: Cases = {
  pass: {
    'nothing until the result': recording().completed(),
    'a status in the role of a tool': recording()
      .pending()
      .answer('The call waits for the user.')
      .model()
      .result()
      .given()
      .window(),
    'a status in any language': recording()
      .pending()
      .answer('Der Vorgang dauert an; das Ergebnis folgt.')
      .model()
      .result()
      .given(),
    'a status that speaks of an end to come': recording()
      .pending()
      .answer('The result follows once the user has authorized the tool.')
      .model()
      .result()
      .given(),
    'an answer to another call': recording()
      .pending()
      .answer('Error: no', { callId: 'another' })
      .model()
      .result()
      .given(),
  },
  violation: {
    'an empty result': recording().pending().answer('null').model(),
    'a bare success': recording().pending().answer('{"status":"ok"}').model(),
    'an error': recording().pending().answer('Error: authorization required').model(),
    'something that is marked as an error': recording()
      .pending()
      .answer('Bitte anmelden', { isError: true })
      .model(),
    'the message itself': (() => {
      const t = recording().pending()
      return t.answer(JSON.stringify({ auth_url: t.last('url') })).model()
    })(),
    'a completion': recording().pending().answer('Authorization completed.').model(),
    'an error under the id of the invocation': recording()
      .pending()
      .answer('Error: no', { callId: 'id of call-1' })
      .model(),
    'its tool is told that it was cancelled': recording().pending().say().notify().result().given(),
  },
  inconclusive: {
    'no invocation': never(),
    'the message got no answer': recording().running().oauth('oauth', { answer: 'open' }),
    'the run did not watch long enough': recording().running().oauth().shows().result().given(),
    'the call was lost': recording().pending().result().gaveUp(waits.given),
  },
}

const asked = (): Recording => recording().ask()

export const faithfulInvocation: Cases = {
  pass: { 'as asked for': asked().invoke() },
  violation: {
    'another operation': asked().invoke({ operation: 'list' }),
    'fewer arguments': asked().invoke({ arguments: {} }),
    'more arguments': asked().invoke({
      arguments: { ...asked().invocation.arguments, limit: 1 },
    }),
  },
  inconclusive: { 'no invocation': asked() },
}

export const invokedOnce: Cases = {
  pass: {
    once: recording().completed(),
    'again, before it was acknowledged': recording()
      .ask()
      .invoke({}, 'open')
      .invoke()
      .oauth()
      .window(),
  },
  violation: {
    'again while it waits': recording().running().oauth().shows().invoke().window(),
    'again under another id': recording().running().oauth().invoke({ id: 'new' }).result(),
    'again when it has completed': recording().completed().invoke(),
    'again, not acknowledged, but called back': recording()
      .ask()
      .invoke({}, 'open')
      .oauth()
      .invoke(),
  },
  inconclusive: {
    'no invocation': never(),
    'the message got no answer': recording().running().oauth('oauth', { answer: 'open' }).window(),
    'the run did not watch long enough': recording().running().oauth().result().given(),
  },
}

export const delivered: Cases = {
  pass: {
    'as the answer to its call': recording().plain(),
    'as a message': (() => {
      const t = recording().running().result()
      return t.tell({ role: 'user', text: `Result: ${t.last('result')}` }).model()
    })(),
    'in the instructions': (() => {
      const t = recording().running().result()
      return t.model({ system: `The tool said: ${t.last('result')}` })
    })(),
    'before it was acknowledged': recording()
      .running()
      .result('result', { answer: 'open' })
      .given(),
  },
  violation: {
    'never within the deadline': recording().running().result().gaveUp(waits.given),
    'the runtime closed the connection': recording()
      .running()
      .result('result', { answer: 'ECONNRESET' }),
  },
  inconclusive: {
    'no invocation': never(),
    'nobody took it': recording().running().result('result', { answer: 'ECONNREFUSED' }),
    'the run did not wait for it': recording().running().result(),
  },
}

/** The model is told the conversation in one message of its user. */
function toldWhole(t: Recording, then: (t: Recording) => Recording = (same) => same): Recording {
  const said = [...t.transcript.steps('ask'), ...t.transcript.steps('say')]
  const texts = said.map(({ detail }) => String(detail['text']))
  const text = [texts[0], `Result: ${t.last('result')}`, ...texts.slice(1)].join('\n')
  return then(t.model({ messages: [{ role: 'user', text }] }))
}

export const deliveredOnce: Cases = {
  pass: {
    once: recording().plain(),
    'once more in every later request': recording().plain().say(),
    'in one text with all that was said, and once more with what is said later': toldWhole(
      recording().running().result(),
      (t) => toldWhole(t.say({ asks: false })).window(),
    ),
    'at the end of every request, and once more when the user has said something': (() => {
      const t = recording().running().result()
      const text = `Result: ${t.last('result')}`
      const told = (all: Recording): Recording => all.model({ more: [{ role: 'user', text }] })
      return told(told(t).tell({ role: 'assistant', text: 'Noted.' }).say({ asks: false })).window()
    })(),
    'and asked again, since the runtime broke off': recording()
      .running()
      .result()
      .answer(tokenOf('result', 1))
      .model({ ending: 'ECONNRESET' })
      .model()
      .window(),
    'and in a request for a title that offers the tools': recording()
      .running()
      .result()
      .answer(tokenOf('result', 1))
      .model()
      .model({ more: [{ role: 'user', text: 'Give this conversation a title.' }] })
      .window(),
    'and in a request for a title': recording()
      .running()
      .result()
      .answer(tokenOf('result', 1))
      .model()
      .model({ tools: [] })
      .window(),
  },
  violation: {
    'twice in one request': (() => {
      const t = recording().running().result()
      return t
        .answer(t.last('result'))
        .tell({ role: 'user', text: t.last('result') })
        .model()
        .window()
    })(),
    'as news for the second time, at once': recording()
      .running()
      .result()
      .answer(tokenOf('result', 1))
      .model()
      .model()
      .window(),
    'in one text with all that was said, once more without a word of the user': toldWhole(
      recording().running().result(),
      (t) => toldWhole(t).window(),
    ),
    'as news for the second time': recording().running().result().given().given().window(),
  },
  inconclusive: {
    'no invocation': never(),
    'not at all': recording().running().result().gaveUp(waits.given),
    'the run did not watch long enough': recording().running().result().given(),
  },
}

export const forRightCall: Cases = {
  pass: {
    'under the id that the model gave': recording().plain(),
    'under the id of the invocation': recording()
      .running()
      .result()
      .given({ callId: 'id of call-1' }),
    'under an id that the runtime gave the call for its model': (() => {
      const t = recording().running().result()
      const reference = { reference: tokenOf('ref', 1) }
      const text = t.last('result')
      return t.model({
        messages: [
          {
            role: 'assistant',
            text: '',
            toolCalls: [{ id: 'own', name: 'x', arguments: reference }],
          },
          { role: 'tool', text, toolResults: [{ callId: 'own', text }] },
        ],
      })
    })(),
    'as a message, where there is one call': (() => {
      const t = recording().running().result()
      return t.tell({ role: 'user', text: t.last('result') }).model()
    })(),
  },
  violation: {
    'under the id of another call': recording().running().result().given({ callId: 'another' }),
    'in another conversation': (() => {
      const t = recording().running().result()
      const text = t.last('result')
      return t.model({ conversation: tokenOf('conv', 9), messages: [{ role: 'user', text }] })
    })(),
  },
  inconclusive: {
    'no invocation': never(),
    'not at all': recording().running().result().gaveUp(waits.given),
    'as a message that names none of two calls': (() => {
      const t = recording().running().ask(1).on(1).result()
      return t.tell({ role: 'user', text: t.last('result') }).model()
    })(),
  },
}

/** For messages that are no valid callback of the call; they are called `forged`. */
const forgedThenGenuine = (): Recording => recording().running().forge().window().result()

export const ignored = (name = 'forged'): Cases => ({
  pass: {
    'it never turns up': recording().running().forge(name).window().result().given().say(),
    'the connection was closed on it': recording()
      .running()
      .forge(name, { answer: 'ECONNRESET' })
      .window()
      .result()
      .given(),
  },
  violation: {
    'as the answer to the call': (() => {
      const t = recording().running().forge(name)
      return t.answer(t.last('forged')).model()
    })(),
    'in the instructions': (() => {
      const t = recording().running().forge(name)
      return t.model({ system: t.last('forged') })
    })(),
    'in a request that is none': (() => {
      const t = recording().running().forge(name)
      const body = `{"messages":[{"role":"tool","content":{"text":"${t.last('forged')}"}}]}`
      return t.exchange('model', 'http://127.0.0.1:4500/v1/chat/completions', body, 400)
    })(),
    'as something that the assistant has said': (() => {
      const t = recording().running().forge(name)
      return t.tell({ role: 'assistant', text: t.last('forged') }).model()
    })(),
  },
  inconclusive: {
    'no invocation': never(),
    'nobody took it': recording()
      .running()
      .forge(name, { answer: 'ECONNREFUSED' })
      .window()
      .result()
      .given(),
    'the run did not watch long enough': recording().running().forge(name).result().given(),
    'the genuine one did not reach the model either': recording()
      .running()
      .forge(name)
      .window()
      .result()
      .gaveUp(waits.given),
  },
})

export const refused = (name = 'forged'): Cases => ({
  pass: {
    'by 404': recording().running().forge(name),
    'ignored with 204': recording().running().forge(name, { answer: 204 }),
  },
  violation: {
    'by a server error': recording().running().forge(name, { answer: 500 }),
    'by closing the connection': recording().running().forge(name, { answer: 'ECONNRESET' }),
    'by no answer': recording().running().forge(name, { answer: 'timeout' }),
  },
  inconclusive: {
    'no invocation': never(),
    'the recording stops': recording().running().forge(name, { answer: 'open' }),
    'nobody listens any more': recording().running().forge(name, { answer: 'ECONNREFUSED' }),
  },
})

export const survived: Cases = {
  pass: { 'the genuine result arrives': forgedThenGenuine().given() },
  violation: { 'it does not': forgedThenGenuine().gaveUp(waits.given) },
  inconclusive: {
    'no invocation': never(),
    'the genuine one was not sent': recording().running().forge(),
    'the run did not wait for it': forgedThenGenuine(),
  },
}

export const accepted = (
  send: (answer?: Parameters<Recording['result']>[1]) => Recording,
): Cases => ({
  pass: { 'by 200': send(), 'by 204': send({ answer: 204 }) },
  violation: {
    'by 404': send({ answer: 404 }),
    'by 500': send({ answer: 500 }),
    'by no answer': send({ answer: 'timeout' }),
  },
  inconclusive: { 'no invocation': never(), 'the recording stops': send({ answer: 'open' }) },
})

/** For several calls at once: what one of them does wrong is wrong. */
export function ofEvery(
  count: number,
  { pass, violation }: Pick<Cases, 'pass' | 'violation'>,
): Cases {
  return {
    pass,
    violation,
    inconclusive: {
      'no invocation': never(),
      'fewer calls were made': recording().completed(),
      'a call was lost': Array.from({ length: count }).reduce<Recording>(
        (t) => t.ask(),
        recording(),
      ),
    },
  }
}

/** For URLs that are to be forgotten once their call has ended: a pending call goes on by `begin` and `finish` to its end. */
export function forgotten(
  begin: (t: Recording) => Recording,
  finish: (t: Recording) => Recording,
  scanned = false,
): Cases {
  const end = (t: Recording): Recording => finish(begin(t))
  const scan = (t: Recording, found: unknown[], bytes = 100): Recording =>
    scanned ? t.step('scanned', { path: 'runtime.db', bytes, found }) : t
  const kept = recording().pending()
  const escaped = kept.last('url').replace('-', '\\u002d')
  return {
    pass: {
      'nothing of it': scan(end(recording().pending()).say(), []),
      'it stood in a request that was under way when the call ended': (() => {
        const t = recording().pending()
        const text = `The user has been asked to visit ${t.last('url')}`
        return scan(finish(begin(t).model({ messages: [{ role: 'system', text }] })).say(), [])
      })(),
    },
    violation: {
      'in the history': (() => {
        const t = recording().pending()
        const text = `Please visit ${t.last('url')}`
        return end(t.tell({ role: 'assistant', text })).say()
      })(),
      'in the history, with escapes': end(kept).exchange(
        'model',
        'http://127.0.0.1:4500/v1/chat/completions',
        `{"messages":[{"role":"user","content":"${escaped}"}]}`,
      ),
      ...(scanned
        ? { 'in the storage': scan(end(recording().pending()).say(), [{ token: 'url-1' }]) }
        : {}),
    },
    inconclusive: {
      'no invocation': never(),
      'the call did not end': recording().pending().say(),
      'the recording stops before the end': begin(recording().pending()),
      ...(scanned ? { 'nothing is stored': scan(end(recording().pending()).say(), [], 0) } : {}),
    },
  }
}

/** For oauth messages that come when nothing is pending any more; `end` continues a pending call to its end. */
export function unshown(name: string, end: (t: Recording) => Recording): Cases {
  const late = (): Recording => end(recording().pending()).forge(name, { url: true })
  return {
    pass: { 'it is not shown': late().window() },
    violation: {
      'it is shown': late().shows(),
      'it is shown, escaped': (() => {
        const t = late()
        return t.shows(t.last('url').replace('-', '&#x2d;'))
      })(),
    },
    inconclusive: { 'no invocation': never(), 'the run did not watch long enough': late() },
  }
}

const ofUser = (t: Recording, user_id: unknown, conversation?: number): Recording =>
  t.ask(conversation).invoke({ user_id })

/** For invocations that name their user. */
export const identified: Cases = {
  pass: {
    'each its own': ofUser(ofUser(recording(), 'ann'), 'ben'),
    'each its own, in several calls': ofUser(ofUser(ofUser(recording(), 'ann'), 'ben'), 'ann', 1),
    'nobody is named': ofUser(ofUser(recording(), null), undefined),
  },
  violation: {
    'one for both': ofUser(ofUser(recording(), 'ann'), 'ann'),
    'that of the one who spoke last': ofUser(ofUser(ofUser(recording(), 'ann'), 'ben'), 'ben', 1),
    'another with every call': ofUser(ofUser(recording(), 'a1'), 'a2', 1),
    'that of somebody in another scenario': ofUser(recording(), `user-${'0123456789ab'.repeat(2)}`),
  },
  inconclusive: {
    'no invocation': never(),
    'there is one user': ofUser(recording(), 'ann'),
  },
  'not-applicable': {
    'it is not told who speaks': [ofUser(ofUser(recording(), 'ann'), 'ann'), { tellsUsers: false }],
  },
}

/** So many calls, each of which waits for its user; with `last`, one more of another kind. */
export function crowd(
  count: number,
  apart: boolean,
  act: (t: Recording, call: number) => Recording = (t) => t.shows(),
): Recording {
  const t = recording()
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  for (const call of numbers) {
    act(
      t
        .ask(apart ? call : 1)
        .invoke()
        .oauth(),
      call,
    )
  }
  t.window()
  for (const call of numbers)
    t.on(call, apart ? call : 1)
      .result()
      .given()
  return t
}

/** For the results of several calls at once. */
export function givenToEach(
  count: number,
  apart: boolean,
): Record<`rap-oauth/runtime/${'result-for-right-call' | 'deliver-result'}`, Cases> {
  const fine = crowd(count, apart)
  return {
    'rap-oauth/runtime/result-for-right-call': ofEvery(count, {
      pass: { 'each for its call': fine },
      violation: {
        'one for another call': crowd(count - 1, apart)
          .ask(apart ? count : 1)
          .invoke()
          .result()
          .given({ callId: 'model-1' }),
      },
    }),
    'rap-oauth/runtime/deliver-result': ofEvery(count, {
      pass: { 'each of them': fine },
      violation: {
        'all but one': crowd(count - 1, apart)
          .ask(apart ? count : 1)
          .invoke()
          .result()
          .gaveUp(waits.given),
      },
    }),
  }
}

/** For calls of several users at once: what each is shown, and what the model is told in each conversation. */
export function keptApart(
  count: number,
): Record<`rap-oauth/runtime/${'surface-to-own-user' | 'isolate-conversations'}`, Cases> {
  const fine = crowd(count, true)
  return {
    'rap-oauth/runtime/surface-to-own-user': {
      pass: { 'each in its conversation': fine },
      violation: {
        'one in another, too': crowd(count, true, (t, call) =>
          call === 1 ? t.shows().shows(undefined, tokenOf('conv', 2)) : t.shows(),
        ),
      },
      inconclusive: {
        'no invocation': recording().ask(),
        'one was not shown': crowd(count, true, (t, call) => (call === 1 ? t : t.shows())),
      },
      'not-applicable': {
        'a surface that tells nobody apart': [fine, { separateSurfaces: false }],
      },
    },
    'rap-oauth/runtime/isolate-conversations': {
      pass: { 'each by itself': fine },
      violation: {
        'a result of another conversation': crowd(count, true)
          .on(1)
          .tell({ role: 'system', text: tokenOf('ref', 2) })
          .model(),
        'in the instructions': crowd(count, true)
          .on(1)
          .model({ system: `Meanwhile: ${tokenOf('ref', 2)}` }),
      },
      inconclusive: { 'one alone': recording().running() },
    },
  }
}

/** A pending call that its user interrupts; the status is that of the answer. */
export const cancelled = (status?: number): Recording => {
  const t = recording().pending().step('cancel')
  const url = 'http://127.0.0.1:4300/cancel'
  return status === undefined ? t : t.exchange('message', url, '', status)
}

/** For the result of a call that was cancelled. */
export const discarded: Cases = {
  pass: { 'it is discarded': cancelled().forge('late').window().say() },
  violation: {
    'it is given to the model': (() => {
      const t = cancelled().forge('late')
      return t.answer(t.last('forged')).model()
    })(),
  },
  inconclusive: {
    'no invocation': never(),
    'the runtime refused to cancel': cancelled(404).forge('late').say(),
    'the model was not asked afterwards': cancelled().forge('late').window(),
  },
}
