/**
 * Judgements that several scenarios share. Each takes the name of a call and returns the function that
 * judges it; each says `inconclusive` unless the transcript proves that the stimulus arrived.
 */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Check,
  type Evidence,
  type JudgingContext,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { oauthMessage, textOf, toolResult } from '../messages.ts'
import type { Declared } from './configuration.ts'
import {
  callOf,
  callsOf,
  citeMessages,
  isAfter,
  isRateLimit,
  issuedGrant,
  mayHaveTimedOut,
  served,
  show,
  tokenAccesses,
  waitedInVain,
  watched,
  type CallView,
  type Message,
} from './view.ts'

export type Context = JudgingContext<Declared>
export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** Every message of a call, and the call itself, must agree in one field. */
export function echoes(field: 'id' | 'group_id', name = 'call-1'): Judge {
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
export function echoesCallId(name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    const messages = call.messages.filter(hasCallIds)
    if (messages.length === 0) return inconclusive('no message arrived that could echo it')
    const expected = call.sent.call_id ?? undefined
    const wrong = messages.find((message) => (message.value['call_id'] ?? undefined) !== expected)
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
export function postsJson(name = 'call-1'): Judge {
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
export function usesCallbackUrl(name = 'call-1'): Judge {
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
export function validMessages(type: 'oauth' | 'tool_result', name = 'call-1'): Judge {
  const schema = type === 'oauth' ? oauthMessage : toolResult
  return (t) => {
    const { deliveries, messages } = callOf(t, name)
    const unread = deliveries.filter((event) => !messages.some((each) => each.event === event))
    // What the harness cut cannot be read, and that is not the tool's fault.
    const broken = unread.find((event) => !event.body?.truncated)
    if (broken) {
      const difference = { expected: 'a JSON object', actual: broken.body?.text || 'no body' }
      return violation('a callback body is no JSON object', difference, cite(broken))
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
export function asksForAuthorization(name = 'call-1'): Judge {
  return (t, { timing }) => {
    const call = callOf(t, name)
    const [oauth] = call.oauth
    const [result] = call.results
    if (oauth && !(result && isAfter(oauth.event, result.event))) {
      return pass('an oauth message arrived', citeMessages(oauth))
    }
    if (call.ack?.type !== 'response') return inconclusive('the invocation was not answered')
    if (call.ack.status >= 400)
      return inconclusive(`the invocation was refused with ${call.ack.status}`)
    if (result && isRateLimit(result)) {
      const why = `the tool was asked too much at once: ${textOf(result.value)}`
      return inconclusive(`${why} (timing.concurrency: 1 asks less)`, citeMessages(result))
    }
    if (result) {
      return violation(
        'the call got a result although its user has not authorized anything',
        { expected: 'an oauth message', actual: `a tool_result: ${textOf(result.value)}` },
        [...cite(call.request), ...citeMessages(result)],
      )
    }
    const waited = waitedInVain(t, name)
    if (waited === undefined) return inconclusive('no message was waited for')
    if (waited < timing.maxWaitMs) {
      return inconclusive(
        `no message within ${waited} ms; a tool that needs longer needs a longer timing.step`,
      )
    }
    return violation(
      'the invocation was acknowledged but no message came',
      { expected: 'an oauth message', actual: `no message within ${waited} ms` },
      cite(call.request, call.ack),
    )
  }
}

/** The first result arrives once what is given has happened. */
export function sendsResult(
  name: string,
  prerequisite: (call: CallView, t: Transcript) => Evidence[] | string,
  description: string,
): Judge {
  return (t, context) => {
    const call = callOf(t, name)
    const reached = prerequisite(call, t)
    if (typeof reached === 'string') return inconclusive(reached)
    const result = resultAfter(call, reached)
    if (result) return pass('a tool_result arrived', [...reached, ...citeMessages(result)])
    const waited = waitedInVain(t, name) ?? watched(t)
    if (waited === undefined) return inconclusive('no result was waited for')
    if (timedOutBefore(call, context)) return inconclusive(maybeTimedOut)
    return violation(
      `no tool_result came after ${description}`,
      {
        expected: 'a tool_result on the callback URL',
        actual: call.results.length > 0 ? 'only one from before' : `none within ${waited} ms`,
      },
      [...reached, ...cite(call.request)],
    )
  }
}

const maybeTimedOut =
  'the declared pendingTimeout may have ended the call before: declare a longer one, or use a faster machine'

/** Whether what ended a call may be its pending timeout: on a slow machine that comes before everything else. */
function timedOutBefore(call: CallView, { declared }: Context): boolean {
  const [result] = call.results
  return result !== undefined && mayHaveTimedOut(call, result.event, declared.pendingTimeoutMs)
}

/** The first result of a call that does not stand before everything that is cited; none if nothing was reached. */
function resultAfter({ results }: CallView, reached: Evidence[] | string): Message | undefined {
  if (typeof reached === 'string') return undefined
  return results.find(({ event }) => reached.some(({ seq }) => seq < event.seq))
}

/**
 * The call ends, however long that takes. Where the declared pending timeout is longer than was waited, a missing
 * result proves nothing; where an upstream was held back, nor does one that comes only when it is let go.
 */
export function endsEventually(
  name: string,
  prerequisite: (call: CallView, t: Transcript) => Evidence[] | string,
  description: string,
): Judge {
  const arrives = sendsResult(name, prerequisite, description)
  return (t, context) => {
    const judgement = arrives(t, context)
    const { pendingTimeoutMs } = context.declared
    const waited = waitedInVain(t, name) ?? 0
    const { results, answers } = callOf(t, name)
    const [release] = t.steps('release')
    const given = answers.find(({ event }) => isAfter(event, release))
    if (given && !results.some(({ event }) => isAfter(release!, event))) {
      const first = t.steps('gave-up', name)[0]?.detail['within']
      const why = `pending for ${String(first)} ms without an answer, for which RAP sets no limit`
      return inconclusive(
        `${why}: let the run wait longer (timing.maxWait, --max-wait)`,
        citeMessages(given),
      )
    }
    if (judgement.outcome !== 'violation' || pendingTimeoutMs === undefined) return judgement
    if (waited >= pendingTimeoutMs + context.timing.graceMs) return judgement
    const reason = `no tool_result within ${waited} ms, but the declared pendingTimeout is ${pendingTimeoutMs} ms`
    return inconclusive(`${reason}: let the run wait longer (timing.maxWait, --max-wait)`)
  }
}

/** The call ends because of what happened, and not only by the pending timeout of a call that nobody finished. */
export function endsByItself(
  description: string,
  prerequisite: (call: CallView, t: Transcript) => Evidence[] | string,
  name = 'call-1',
): Judge {
  const arrives = sendsResult(name, prerequisite, description)
  return (t, context) => {
    const judgement = arrives(t, context)
    const call = callOf(t, name)
    const result = resultAfter(call, prerequisite(call, t))
    const pause = result && timedOutAfter(call, result, t, context)
    if (pause === undefined) return judgement
    const cause = t.events.find((event) => judgement.evidence.some(({ seq }) => seq === event.seq))
    if (cause && mayHaveTimedOut(call, cause, context.declared.pendingTimeoutMs))
      return inconclusive(maybeTimedOut, judgement.evidence)
    if (pause < 4 * paceOf(call, t)) {
      return inconclusive('too slow to be told from a pending timeout', judgement.evidence)
    }
    return violation(
      `the call ended only when its pending timeout did, not because of ${description}`,
      {
        expected: 'a tool_result as soon as the failure is known',
        actual: `a tool_result after the declared pendingTimeout of ${context.declared.pendingTimeoutMs} ms`,
      },
      judgement.evidence,
    )
  }
}

/** A flow that failed is reported: the call ends because of it, and its result has a description. */
export function reportsFailure(
  description: string,
  prerequisite: (call: CallView, t: Transcript) => Evidence[] | string,
  name = 'call-1',
): Judge {
  const ends = endsByItself(description, prerequisite, name)
  return (t, context) => {
    const judgement = ends(t, context)
    const call = callOf(t, name)
    const result = resultAfter(call, prerequisite(call, t))
    if (judgement.outcome !== 'pass' || !result) return judgement
    if (textOf(result.value).trim() !== '')
      return pass('a tool_result describes it', judgement.evidence)
    return violation(
      'the result does not describe the error',
      { expected: 'an error description in text or content', actual: 'no words at all' },
      judgement.evidence,
    )
  }
}

/**
 * Where the result came when the declared timeout would have sent it anyway, and nothing that happened shortly
 * before explains it: how long nothing had happened, in milliseconds.
 */
function timedOutAfter(
  { name, request, upstream }: CallView,
  { event }: Message,
  t: Transcript,
  { declared }: Context,
): number | undefined {
  // The tool may count from any moment between the invocation and its oauth message.
  const due = declared.pendingTimeoutMs ?? Infinity
  if (!request || event.t - request.t < due - timeoutSlack) return undefined
  const causes = [...t.requests('browser', name), ...upstream].filter((cause) =>
    isAfter(event, cause),
  )
  const last = Math.max(...causes.map((cause) => Math.max(cause.t, t.answer(cause)?.t ?? cause.t)))
  const pause = event.t - last
  return pause > due / 4 ? pause : undefined
}

/** The longest that the tool took for what it does at once: on a busy machine it takes long for everything. */
export function paceOf({ request, ack, oauth }: CallView, t: Transcript): number {
  const answers = t.requests('browser').flatMap((visit) => {
    const answer = t.answer(visit)
    return answer ? [answer.t - visit.t] : []
  })
  const begun = request?.t ?? 0
  return Math.max(0, (ack?.t ?? begun) - begun, (oauth[0]?.event.t ?? begun) - begun, ...answers)
}

/** Milliseconds by which a timer may be early. */
const timeoutSlack = 50

/** Exactly one result, and nothing after it, until the end of an observation window. */
export function singleResult(name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    // The result of another call that went astray is for isolate-concurrent-calls to judge.
    const others = callsOf(t).filter((other) => other.name !== name)
    const results = call.results.filter(
      ({ value }) => !others.some(({ sent }) => sent.id === value['id']),
    )
    const [first, second] = results
    if (!first) return inconclusive('no tool_result arrived at all')
    if (second) {
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
    if (ms === undefined) return inconclusive('nobody watched for a second result')
    return pass(`one tool_result, and nothing else within ${ms} ms`, citeMessages(first))
  }
}

/** The code was redeemed. */
export function exchangesCode(name = 'call-1'): Judge {
  return (t, { declared }) => {
    const call = callOf(t, name)
    const returned = callbackWith(t, name, 'code')
    if (!returned || !arrived(t, returned))
      return inconclusive('no code reached the callback endpoint')
    const issued = issuedGrant(call)
    if (issued) return pass('the provider issued tokens for the code', cite(issued))
    const refused = call.grants[0]
    if (
      !refused &&
      mayHaveTimedOut(call, t.answer(returned) ?? returned, declared.pendingTimeoutMs)
    )
      return inconclusive('the declared pendingTimeout may have been over before the callback')
    return violation(
      refused ? 'the provider refused the token request' : 'the code was never exchanged',
      {
        expected: 'a token request that the provider accepts',
        actual: refused
          ? `${String(refused.detail['error'])}, verifier ${String(refused.detail['verifier'])}`
          : 'none',
      },
      cite(returned, refused),
    )
  }
}

/** The operation was tried again with a token of this very flow. */
export function retriesOperation(name = 'call-1'): Judge {
  return (t, context) => {
    const call = callOf(t, name)
    const issued = issuedGrant(call)
    if (!issued) return inconclusive('no token was issued')
    const retry = tokenAccesses(call).find((access) => isAfter(access, issued))
    if (retry)
      return pass(`${String(retry.detail['route'])} with the new token`, cite(issued, retry))
    if (timedOutBefore(call, context)) return inconclusive(maybeTimedOut, cite(issued))
    return violation(
      'the operation was not retried with the new token',
      {
        expected: 'a request to the protected API with the token that was just issued',
        actual: 'none',
      },
      [...cite(issued), ...citeMessages(call.results[0])],
    )
  }
}

/** A callback of the browser to the tool with the given parameter. */
export function callbackWith(t: Transcript, name: string, parameter: string) {
  return t
    .requests('browser', name)
    .find(
      (request) => URL.canParse(request.url) && new URL(request.url).searchParams.has(parameter),
    )
}

/** Proof that the tool received and answered a callback with this parameter. */
export function answeredCallback(
  t: Transcript,
  name: string,
  parameter: string,
): Evidence[] | string {
  const request = callbackWith(t, name, parameter)
  if (!request) return `no callback with ${parameter} reached the tool`
  if (!arrived(t, request)) return 'the callback could not be delivered to the tool'
  return cite(request, t.answer(request))
}

/** Whether a request got as far as the tool; no answer in time is still an arrival. */
function arrived(t: Transcript, request: Recorded<RequestEvent>): boolean {
  const answer = t.answer(request)
  return answer?.type !== 'failure' || answer.code === 'timeout'
}

/** The retried operation succeeded and its result came after it. */
export function afterServedRetry(call: CallView): Evidence[] | string {
  const access = tokenAccesses(call).find(served)
  return access ? cite(access) : 'the protected API did not serve the retried operation'
}

/** A token was issued to the flow of the call. */
export function afterIssuedToken(call: CallView): Evidence[] | string {
  const issued = issuedGrant(call)
  return issued ? cite(issued) : 'no token was issued'
}

/** Whatever was unusual about the token response, the token in it was used. */
export function acceptsTokens(name = 'call-1'): Judge {
  return (t, context) => {
    const { control } = context
    const call = callOf(t, name)
    const issued = issuedGrant(call)
    if (!issued) return inconclusive('no token was issued')
    const used = tokenAccesses(call).find((access) => isAfter(access, issued))
    if (used) return pass('the token was used', cite(issued, used))
    if (control && tokenAccesses(callOf(control)).length === 0)
      return inconclusive('the token of an ordinary response is not used either', cite(issued))
    if (timedOutBefore(call, context)) return inconclusive(maybeTimedOut, cite(issued))
    return violation(
      'a valid token response was not accepted',
      {
        expected: 'the operation is retried with the token',
        actual: textOf(call.results[0]?.value ?? {}) || 'nothing',
      },
      [...cite(issued), ...citeMessages(call.results[0])],
    )
  }
}
