/**
 * Judgements that several scenarios share. Each takes the name of a call and returns the function that
 * judges it; each says `inconclusive` unless the transcript proves that the stimulus arrived.
 */

import { isDeepStrictEqual } from 'node:util'
import {
  type Transcript,
  cite,
  inconclusive,
  pass,
  violation,
  type Check,
  type JudgingContext,
  gaveUpAfter,
  isAfter,
  senderGaveUp,
  show,
  watched,
} from '../../../harness/engine/index.ts'
import type { Judge as ClientJudge } from '../../oauth-client/judges.ts'
import { askedTooMuch } from '../../oauth-client/view.ts'
import { oauthMessage, textOf, toolResult } from '../messages.ts'
import type { Declared } from './configuration.ts'
import { callOf, callsOf, citeMessages, wasTooMany, type Message } from './view.ts'

export type Context = JudgingContext<Declared>
export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** Every message of a call, and the call itself, must agree in one field. */
export function echoes(field: 'id' | 'group_id', name = 'call-1'): ClientJudge {
  return (t) => {
    const call = callOf(t, name)
    const messages = field === 'id' ? call.messages.filter(hasCallIds) : call.messages
    if (messages.length === 0) return inconclusive('no message arrived that could echo it')
    const expected = call.sent[field]
    const wrong = messages.find((message) => message.value[field] !== expected)
    if (!wrong) return pass(`${messages.length} messages echo it`, citeMessages(...messages))
    return violation(
      `a message of type ${show(wrong.type)} carries another ${field} than its invocation: copy it from the invocation`,
      { expected: show(expected), actual: show(wrong.value[field]) },
      [...cite(call.request), ...citeMessages(wrong)],
    )
  }
}

/**
 * A string must come back identical in every message; null and absence count as the same
 * (reading 1 of docs/readings.md).
 */
export function echoesCallId(name = 'call-1'): ClientJudge {
  return (t) => {
    const call = callOf(t, name)
    const messages = call.messages.filter(hasCallIds)
    if (messages.length === 0) return inconclusive('no message arrived that could echo it')
    const expected = call.sent.call_id ?? undefined
    // Without an id nothing tells which of the calls with one callback URL a message is for.
    const beside = callsOf(t).filter(({ sent }) => sent.callback_url === call.sent.callback_url)
    const isOfAnother = ({ value }: Message): boolean =>
      value['id'] === undefined && beside.some(({ sent }) => sent.call_id === value['call_id'])
    const wrong = messages.find(
      (message) => (message.value['call_id'] ?? undefined) !== expected && !isOfAnother(message),
    )
    if (!wrong) return pass(`${messages.length} messages echo it`, citeMessages(...messages))
    const wanted =
      expected === undefined ? 'null or no call_id, as the invocation has none' : show(expected)
    return violation(
      `a message of type ${show(wrong.type)} does not echo the call_id of its invocation`,
      { expected: wanted, actual: show(wrong.value['call_id']) },
      [...cite(call.request), ...citeMessages(wrong)],
    )
  }
}

/** RAP gives `id` and `call_id` to these; subscription events and view updates have other keys. */
function hasCallIds({ type }: Message): boolean {
  return type === 'oauth' || type === 'tool_result' || type === 'user_choice'
}

/** Every callback is a POST with a JSON content type. */
export function postsJson(name = 'call-1'): ClientJudge {
  return (t) => {
    const { deliveries } = callOf(t, name)
    if (deliveries.length === 0) return inconclusive('nothing was sent to the callback URL')
    for (const delivery of deliveries) {
      const type = delivery.headers['content-type'] ?? ''
      if (delivery.method !== 'POST') {
        const difference = { expected: 'POST', actual: delivery.method }
        return violation('a callback was not sent by POST', difference, cite(delivery))
      }
      if (!/^application\/json\s*(;|$)/i.test(type)) {
        const difference = {
          expected: 'content-type: application/json',
          actual: show(type || undefined),
        }
        return violation('a callback has another content type', difference, cite(delivery))
      }
    }
    return pass(`${deliveries.length} callbacks`, cite(...deliveries))
  }
}

/** Every callback goes to exactly the URL of its invocation. */
export function usesCallbackUrl(name = 'call-1'): ClientJudge {
  return (t) => {
    const { deliveries, sent } = callOf(t, name)
    if (deliveries.length === 0) return inconclusive('nothing was sent to the callback URL')
    const changed = deliveries.find((delivery) => delivery.url !== sent.callback_url)
    if (!changed) return pass(`${deliveries.length} callbacks`, cite(...deliveries))
    return violation(
      'the callback URL was changed before it was used; treat it as opaque',
      { expected: sent.callback_url, actual: changed.url },
      cite(changed),
    )
  }
}

/** Every message of a type fits its schema, and every callback holds a message at all. */
export function validMessages(type: 'oauth' | 'tool_result', name = 'call-1'): ClientJudge {
  const schema = type === 'oauth' ? oauthMessage : toolResult
  return (t) => {
    const { deliveries, messages } = callOf(t, name)
    const unread = deliveries.filter((event) => !messages.some((each) => each.event === event))
    // What the harness cut cannot be read, and that is not the tool's fault.
    const broken = unread.find((event) => !event.body?.truncated)
    if (broken) {
      const difference = { expected: 'a JSON object', actual: broken.body?.text || 'no body' }
      return violation('a callback body is not a JSON object', difference, cite(broken))
    }
    const own = messages.filter((message) => message.type === type)
    if (own.length === 0) return inconclusive(`no ${type} message arrived`)
    for (const message of own) {
      const parsed = schema.safeParse(message.value)
      if (parsed.success) continue
      const [issue] = parsed.error.issues
      const at = issue?.path.join('.') || 'the message'
      return violation(
        `a message of type ${type} is invalid at ${at}`,
        { expected: issue?.message ?? 'a valid message', actual: show(message.value) },
        citeMessages(message),
      )
    }
    return pass(`${own.length} valid`, citeMessages(...own))
  }
}

/** An oauth message came, and before any result. */
export function asksForAuthorization(name = 'call-1'): ClientJudge {
  return (t, { timing }) => {
    const call = callOf(t, name)
    const [oauth] = call.oauth
    const [result] = call.results
    if (oauth && !(result && isAfter(oauth.event, result.event))) {
      return pass('an oauth message arrived', citeMessages(oauth))
    }
    if (wasTooMany(call)) return inconclusive(askedTooMuch, cite(call.ack, result?.event))
    if (call.ack?.type === 'response' && call.ack.status >= 400)
      return inconclusive(`the invocation was refused with ${call.ack.status}`)
    if (result) {
      return violation(
        'the call got a result although its user has not authorized anything',
        { expected: 'an oauth message', actual: `a tool_result: ${textOf(result.value)}` },
        [...cite(call.request), ...citeMessages(result)],
      )
    }
    // A result answers for an acknowledgement, whose body may still be on its way.
    if (call.ack?.type !== 'response') return inconclusive('the invocation was not answered')
    const waited = gaveUpAfter(t, name)
    if (waited === undefined) return inconclusive('the run did not wait for a message')
    if (waited < timing.maxWaitMs) {
      return inconclusive(
        `no message within ${waited} ms; if the tool needs longer, set a longer timing.step`,
      )
    }
    return violation(
      'the invocation was acknowledged but no message came',
      { expected: 'an oauth message', actual: `no message within ${waited} ms` },
      cite(call.request, call.ack),
    )
  }
}

/**
 * Exactly one result, and nothing after it, until the end of an observation window. The same result may arrive once more
 * (Tool Result, Security Considerations) after a restart, which can come between a delivery and the note of it; and after a
 * delivery that failed for its sender, whose own timeout passed before this machine answered (Lifecycle, Callback Delivery).
 */
/** Whether a delivery failed, so that it has to be tried again. */
function wasRefused({ event }: Message, t: Transcript): boolean {
  const answer = t.answer(event)
  return answer?.type === 'response' ? answer.status >= 300 : answer !== undefined
}

export function singleResult(name = 'call-1'): ClientJudge {
  return (t) => {
    const call = callOf(t, name)
    // The result of another call that went astray is for isolate-concurrent-calls to judge.
    const others = callsOf(t).filter((other) => other.name !== name)
    const results = call.results.filter(
      (result) =>
        !others.some(({ sent }) => sent.id === result.value['id']) && !wasRefused(result, t),
    )
    const [first, ...more] = results
    if (!first) return inconclusive('no tool_result arrived at all')
    // Whoever was ended may not know that its result arrived; who says it twice in one life, and was answered, does.
    const unanswered = t.steps(senderGaveUp, name).map(({ detail }) => detail['exchange'])
    const redelivered = ({ event, value }: Message, index: number): boolean =>
      isDeepStrictEqual(value, first.value) &&
      (unanswered.includes(results[index]?.event.exchange) ||
        t
          .steps('stopped')
          .some((stopped) => isAfter(stopped, first.event) && isAfter(event, stopped)))
    if (!more.every(redelivered)) {
      return violation(
        'the call got more than one tool_result',
        { expected: 'one tool_result', actual: `${results.length}` },
        citeMessages(...results),
      )
    }
    const late = call.oauth.find((message) => isAfter(message.event, first.event))
    if (late) {
      return violation(
        'an oauth message came after the tool_result of the call',
        { expected: 'nothing after the tool_result', actual: 'an oauth message' },
        citeMessages(first, late),
      )
    }
    const ms = watched(t, first.event)
    if (ms === undefined) return inconclusive('the run did not watch for a second result')
    return pass(`one tool_result, and nothing else within ${ms} ms`, citeMessages(first))
  }
}
