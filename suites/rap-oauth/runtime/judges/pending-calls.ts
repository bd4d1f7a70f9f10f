/** Judgements of calls that wait for their user. Each says `inconclusive` unless the transcript proves that the stimulus arrived. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { claimedBy } from '../pending-notice.ts'
import { cancellationsOf } from '../interruption.ts'
import { firstGiven } from '../model-input.ts'
import {
  arrived,
  askedOf,
  callOf,
  callsOf,
  delivered,
  idsOf,
  isAfter,
  show,
  watchedAfter,
  type Asked,
  type CallView,
  type Delivery,
} from '../view.ts'
import { type Judge } from './check.ts'
import { notDelivered } from './answers.ts'

/** Nothing is given to the model as the result of a pending call; saying that it is pending is allowed. */
export function keepsPending({ oauth = 'oauth', result = 'result', call = 'call-1' } = {}): Judge {
  return (t) => {
    const asks = delivered(t, oauth, call)
    if (!arrived(asks)) return notDelivered(asks, 'oauth message')
    const ends = delivered(t, result, call)
    const claim = claimsBetween(t, callOf(t, call), asks, ends)[0]
    if (claim) {
      return violation(
        `the model got ${claim.claim} for a call that still waits for its user: keep it pending until a tool_result arrives`,
        {
          expected: 'no result, or one that says that authorization is in progress',
          actual: show(claim.text.slice(0, 300)),
        },
        cite(asks.request, claim.asked.step),
      )
    }
    const cancelled = cancellationsOf(t, callOf(t, call)).find(
      (each) => isAfter(each, asks.request) && (!ends?.request || isAfter(ends.request, each)),
    )
    if (cancelled && !t.steps('cancel')[0]) {
      return violation(
        'the runtime cancelled the call while its user still had to authorize it: a message of the user must not end the call',
        { expected: 'no cancel_tool_call', actual: cancelled.body?.text ?? '' },
        cite(asks.request, cancelled),
      )
    }
    if (watchedAfter(t, asks.request) === undefined)
      return inconclusive('the run did not watch long enough')
    const given = ends && firstGiven(t, ends.token)
    if (!given) return inconclusive('the call did not complete later, so it may have been lost')
    return pass(
      'nothing before the tool_result',
      cite(asks.request, ends?.request, given.asked.step),
    )
  }
}

/** What was given to the model as the result of a call between two deliveries, and what it amounts to. */
export function claimsBetween(
  t: Transcript,
  call: CallView,
  from: Delivery | undefined,
  to: Delivery | undefined,
): { readonly asked: Asked; readonly text: string; readonly claim: string }[] {
  const token = from?.token
  const others = callsOf(t).filter(({ name }) => name !== call.name)
  return askedOf(t)
    .filter(({ step }) => from?.request && isAfter(step, from.request))
    .filter(({ step }) => !to?.request || isAfter(to.request, step))
    .flatMap((asked) =>
      asked.messages.flatMap(({ toolResults = [] }) =>
        toolResults
          .filter(({ callId }) => idsOf(call, asked).includes(callId))
          .flatMap(({ callId, text, isError }) => {
            // An id that the runtime gives twice tells nothing.
            const rest = others.filter((each) => !idsOf(each, asked).includes(callId))
            const claim = resultOfAnother(text, rest) ?? claimedBy(text, isError, token)
            return claim === undefined ? [] : [{ asked, text, claim }]
          }),
      ),
    )
}

function resultOfAnother(text: string, others: readonly CallView[]): string | undefined {
  const tokens = others.flatMap(({ deliveries }) => deliveries.map(({ token }) => token))
  const stray = tokens.some((token) => token !== '' && text.includes(token))
  return stray ? 'the result of another call' : undefined
}

/**
 * One invocation, whatever happens afterwards: the oauth message, what the user says, an error as the result. Until it is
 * acknowledged, or the tool has called back, an invocation may be sent again.
 */
export function invokesOnce({ oauth = 'oauth', call = 'call-1' } = {}): Judge {
  return (t) => {
    const asks = delivered(t, oauth, call)
    if (!arrived(asks)) return notDelivered(asks, 'oauth message')
    const { invocations } = callOf(t, call)
    const taken = [invocations[0] && t.answer(invocations[0]), asks.answer]
    const again = invocations.slice(1).filter((each) => taken.some((when) => isAfter(each, when)))
    if (again.length > 0) {
      return violation(
        'the runtime invoked the tool again for the same call: after authorization the tool itself retries, so do not invoke it again',
        { expected: 'one invocation', actual: `${again.length + 1} invocations` },
        cite(invocations[0], asks.request, ...again),
      )
    }
    const watched = watchedAfter(t, asks.request)
    if (watched === undefined) return inconclusive('the run did not watch long enough')
    return pass(`one invocation, watched for ${watched} ms`, cite(...invocations, asks.request))
  }
}
