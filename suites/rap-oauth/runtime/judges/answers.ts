/** Judgements of how a callback was answered. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Judgement,
} from '../../../../harness/engine/index.ts'
import { unanswered } from '../redelivery.ts'
import { delivered, statusOf, type Delivery } from '../view.ts'
import { type Judge } from './check.ts'

/** A valid message is answered 2xx. */
export function acceptsCallback(name: string, call = 'call-1'): Judge {
  return (t) => {
    const sent = delivered(t, name, call)
    if (!sent?.request) return inconclusive(`no ${name} was sent`)
    if (!sent.answer) return notDelivered(sent, name)
    const status = statusOf(sent)
    const evidence = cite(sent.request, sent.answer)
    if (status !== undefined && status >= 200 && status < 300) {
      return pass(`HTTP ${status}`, evidence)
    }
    return violation(
      `a valid ${name} message was not accepted`,
      { expected: 'HTTP 200', actual: answerText(sent) },
      evidence,
    )
  }
}

/** What is no valid callback is refused or ignored, without a server error. */
export function refusesProperly(name: string, call = 'call-1'): Judge {
  return (t) => {
    const sent = delivered(t, name, call)
    if (!sent?.request || !sent.answer) return inconclusive('it was not answered')
    if (!reached(sent)) return notDelivered(sent, 'message')
    const status = statusOf(sent)
    const evidence = cite(sent.request, sent.answer)
    if (status !== undefined && status < 500) return pass(`HTTP ${status}`, evidence)
    // A body that is too long may be cut off by closing the connection.
    const long = (sent.request.body?.bytes ?? 0) > 1024 * 1024
    const closed = sent.answer.type === 'failure' && !unanswered.has(sent.answer.code)
    if (closed && long) return pass('the connection was closed', evidence)
    return violation(
      status === undefined
        ? 'an invalid callback gets no answer: answer it with a 4xx status'
        : 'an invalid callback is answered with a server error: answer it with a 4xx status',
      { expected: '4xx, or 2xx and no effect', actual: answerText(sent) },
      evidence,
    )
  }
}

/** A message that could not be sent, or was not answered, proves nothing about its effect. */
export function notDelivered(delivery: Delivery | undefined, what: string): Judgement {
  if (!delivery) return inconclusive(`no ${what} was sent`)
  return inconclusive(`the ${what} got no answer: ${answerText(delivery)}`, cite(delivery.request))
}

/** Whether somebody took the message, even if only to close the connection on it. */
export function reached({ answer }: Delivery): boolean {
  return (
    answer?.type === 'response' || (answer?.type === 'failure' && answer.code !== 'ECONNREFUSED')
  )
}

/** Whether the runtime took the message and then closed the connection: it did not cope. */
export function died({ answer }: Delivery): boolean {
  return answer?.type === 'failure' && !unanswered.has(answer.code)
}

export function answerText({ answer }: Delivery): string {
  if (answer?.type === 'response') return `HTTP ${answer.status}`
  return answer?.message ?? 'no answer'
}
