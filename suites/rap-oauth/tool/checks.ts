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
  type Transcript,
} from '../../../harness/index.ts'
import { textOf } from '../messages.ts'
import type { Declared } from './configuration.ts'
import {
  callOf,
  citeMessages,
  isAfter,
  issuedGrant,
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
    if (call.messages.length === 0) return inconclusive('no message arrived that could echo it')
    const expected = call.sent[field]
    const wrong = call.messages.find((message) => message.value[field] !== expected)
    if (!wrong)
      return pass(`${call.messages.length} messages echo it`, citeMessages(...call.messages))
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
    const kinds = [call.oauth[0], call.results[0]]
    if (!kinds[0] && !kinds[1]) return inconclusive('no message arrived that could echo it')
    const expected = call.sent.call_id ?? undefined
    const wrong = call.messages.find(
      (message) => (message.value['call_id'] ?? undefined) !== expected,
    )
    if (!wrong)
      return pass(`${call.messages.length} messages echo it`, citeMessages(...call.messages))
    const wanted =
      expected === undefined ? 'null or no call_id, as the invocation has none' : show(expected)
    return violation(
      `a message of type ${show(wrong.type)} does not echo the call_id of its invocation`,
      { expected: wanted, actual: show(wrong.value['call_id']) },
      [...cite(call.request), ...citeMessages(wrong)],
    )
  }
}

/** An oauth message came, and before any result. */
export function asksForAuthorization(name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    const [oauth] = call.oauth
    const [result] = call.results
    if (oauth && !(result && isAfter(oauth.event, result.event))) {
      return pass('an oauth message arrived', citeMessages(oauth))
    }
    if (call.ack?.type !== 'response') return inconclusive('the invocation was not answered')
    if (result) {
      return violation(
        'the call got a result although its user has not authorized anything',
        { expected: 'an oauth message', actual: `a tool_result: ${textOf(result.value)}` },
        [...cite(call.request), ...citeMessages(result)],
      )
    }
    const waited = waitedInVain(t, name)
    if (waited === undefined) return inconclusive('no message was waited for')
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
  return (t) => {
    const call = callOf(t, name)
    const reached = prerequisite(call, t)
    if (typeof reached === 'string') return inconclusive(reached)
    const [result] = call.results
    if (result) return pass('a tool_result arrived', [...reached, ...citeMessages(result)])
    const waited = waitedInVain(t, name) ?? watched(t)
    if (waited === undefined) return inconclusive('no result was waited for')
    return violation(
      `no tool_result came after ${description}`,
      { expected: 'a tool_result on the callback URL', actual: `none within ${waited} ms` },
      [...reached, ...cite(call.request)],
    )
  }
}

/**
 * The call ends, however long that takes. Where the declared pending timeout is longer than was waited,
 * a missing result proves nothing.
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
    if (judgement.outcome !== 'violation' || pendingTimeoutMs === undefined) return judgement
    if (waited >= pendingTimeoutMs + context.timing.graceMs) return judgement
    const reason = `no tool_result within ${waited} ms, but the declared pendingTimeout is ${pendingTimeoutMs} ms`
    return inconclusive(`${reason}: let the run wait longer (timing.maxWait, --max-wait)`)
  }
}

/**
 * A flow that failed is reported: a result with a description, and not only the one that the pending
 * timeout sends to every call that nobody finished.
 */
export function reportsFailure(
  description: string,
  prerequisite: (call: CallView, t: Transcript) => Evidence[] | string,
  name = 'call-1',
): Judge {
  const arrives = sendsResult(name, prerequisite, description)
  return (t, context) => {
    const judgement = arrives(t, context)
    if (judgement.outcome !== 'pass') return judgement
    const call = callOf(t, name)
    const [result] = call.results
    const evidence = [...judgement.evidence]
    if (result && onlyTimedOut(call, result, t, context)) {
      return violation(
        `the call ended only when its pending timeout did, not because of ${description}`,
        {
          expected: 'a tool_result as soon as the failure is known',
          actual: `a tool_result after the declared pendingTimeout of ${context.declared.pendingTimeoutMs} ms`,
        },
        evidence,
      )
    }
    if (result && textOf(result.value).trim() === '') {
      return violation(
        'the result does not describe the error',
        { expected: 'an error description in text or content', actual: 'no words at all' },
        evidence,
      )
    }
    return pass('a tool_result describes it', evidence)
  }
}

/** Whether the result came no earlier than the declared timeout would have sent it anyway. */
function onlyTimedOut(
  call: CallView,
  result: Message,
  t: Transcript,
  { declared }: Context,
): boolean {
  const began = call.request?.t
  const returned = t.requests('browser', call.name).at(-1)?.t
  if (began === undefined || returned === undefined || declared.pendingTimeoutMs === undefined)
    return false
  const elapsed = result.event.t - began
  return (
    elapsed >= declared.pendingTimeoutMs &&
    result.event.t - returned > declared.pendingTimeoutMs / 4
  )
}

/** Exactly one result, and nothing after it, until the end of an observation window. */
export function singleResult(name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    const [first, second] = call.results
    if (!first) return inconclusive('no tool_result arrived at all')
    if (second) {
      return violation(
        'the call got more than one tool_result',
        { expected: 'one tool_result', actual: `${call.results.length}` },
        citeMessages(...call.results),
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
    const ms = watched(t)
    if (ms === undefined) return inconclusive('nobody watched for a second result')
    return pass(`one tool_result, and nothing else within ${ms} ms`, citeMessages(first))
  }
}

/** The code was redeemed. */
export function exchangesCode(name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    const returned = callbackWith(t, name, 'code')
    if (!returned) return inconclusive('no code reached the callback endpoint')
    const issued = issuedGrant(call)
    if (issued) return pass('the provider issued tokens for the code', cite(issued))
    const refused = call.grants[0]
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
  return (t) => {
    const call = callOf(t, name)
    const issued = issuedGrant(call)
    if (!issued) return inconclusive('no token was issued')
    const retry = tokenAccesses(call).find((access) => isAfter(access, issued))
    if (retry)
      return pass(`${String(retry.detail['route'])} with the new token`, cite(issued, retry))
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
  const answer = t.answer(request)
  return cite(request, answer)
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
  return (t) => {
    const call = callOf(t, name)
    const issued = issuedGrant(call)
    if (!issued) return inconclusive('no token was issued')
    const used = tokenAccesses(call).find((access) => isAfter(access, issued))
    if (used) return pass('the token was used', cite(issued, used))
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
