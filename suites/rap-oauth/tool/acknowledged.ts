/** How an invocation is answered: with 200, whatever is delivered later (RAP Tool Invocation, Response). */

import { cite, inconclusive, pass, violation } from '../../../harness/engine/index.ts'
import { askedTooMuch } from '../../oauth-client/view.ts'
import type { Judge } from './checks.ts'
import { callOf, citeMessages, isError, saysNotNow, type CallView } from './view.ts'

const expected = 'HTTP 200'

/** An invocation that has to be taken was. */
export const acknowledges: Judge = (t) => {
  const call = callOf(t)
  const { ack, messages, request } = call
  if (ack?.type !== 'response') {
    if (!request) return inconclusive('nothing was invoked')
    if (messages.length === 0) return inconclusive('the invocation was not answered', cite(request))
    return unanswered(call)
  }
  if (ack.status === 401 || ack.status === 403) {
    return inconclusive(
      `it answered ${ack.status}: does it need target.headers?`,
      cite(request, ack),
    )
  }
  if (saysNotNow(ack)) return inconclusive(askedTooMuch, cite(request, ack))
  if (ack.status !== 200) {
    const actual = `HTTP ${ack.status}`
    return violation(
      'the invocation was not acknowledged',
      { expected, actual },
      cite(request, ack),
    )
  }
  if (messages.length === 0) return inconclusive('it answered 200 but sent no message', cite(ack))
  return pass(expected, cite(request, ack))
}

/**
 * An invocation that was taken, as its messages show, was acknowledged. Who refuses one by a status may say so in a result,
 * too; an answer that does not come in time, or never since the tool was stopped, is not judged here.
 */
export function acknowledgesTaken(name: string): Judge {
  return (t) => {
    const call = callOf(t, name)
    const { ack, answers, oauth, request } = call
    if (!ack || answers.length === 0) return inconclusive('the invocation was not taken')
    if (ack.type === 'failure') {
      const ended = ['stopped', 'gone'].some((step) => t.steps(step).length > 0)
      return ended || ack.code === 'timeout'
        ? inconclusive('the invocation was not answered in time')
        : unanswered(call)
    }
    if (ack.status === 200) return pass(expected, cite(request, ack))
    const evidence = [...cite(request, ack), ...citeMessages(answers[0])]
    if (ack.status >= 400 && oauth.length === 0 && answers.every(isError))
      return inconclusive(`the invocation was refused with ${ack.status}`, evidence)
    return violation(
      'an invocation was carried out, as its messages show, and not acknowledged with 200',
      { expected, actual: `HTTP ${ack.status}` },
      evidence,
    )
  }
}

function unanswered({ ack, messages, request }: CallView) {
  return violation(
    'the invocation arrived, as its messages show, but was never answered',
    { expected, actual: ack?.type === 'failure' ? ack.message : 'no answer' },
    [...cite(request, ack), ...citeMessages(messages[0])],
  )
}
