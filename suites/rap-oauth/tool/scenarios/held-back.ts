/** Judgements of calls during which an upstream was held back. */

import { endsEventually } from '../handoff.ts'
import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
  servedPath,
} from '../../../../harness/engine/index.ts'
import { type Judge } from '../checks.ts'
import { callOf, callsOf } from '../view.ts'

type Path = (path: string) => boolean

/** Milliseconds within which two things that happen at once are recorded. */
const together = 100

/** The last request to the provider that was held back: no answer came before the release, unless the tool gave up. */
export function heldRequest(t: Transcript, isThere: Path) {
  const [release] = t.steps('release')
  return t.requests('provider').findLast((request) => {
    const answer = t.answer(request)
    const open = answer?.type !== 'response' || (release !== undefined && answer.t >= release.t)
    return isThere(servedPath(request)) && open && (!release || request.t <= release.t)
  })
}

/** Causality first: the acknowledgement arrived while the upstream was still held back. */
export function acknowledgedBeforeRelease(name: string, isThere: Path): Judge {
  return (t, { timing, control }) => {
    const { request, ack } = callOf(t, name)
    const held = heldRequest(t, isThere)
    const [release] = t.steps('release')
    if (!request) return inconclusive('the call was not made')
    if (!held) return inconclusive('no request was held back')
    if (!ack && !release) return inconclusive('nothing was released')
    if (ack?.type !== 'response') {
      const actual = ack?.message ?? 'no answer'
      return violation(
        'the invocation was not acknowledged',
        { expected: 'HTTP 200', actual },
        cite(request, held, ack),
      )
    }
    const took = Math.round(ack.t - request.t)
    const given = t.answer(held)
    const gaveUp = given && (!release || given.t < release.t) ? given : undefined
    if (gaveUp && gaveUp.t < request.t)
      return inconclusive(
        'the tool had given up waiting before the call was made',
        cite(held, request),
      )
    // Of two connections the one that was answered may be heard of first.
    if (gaveUp && gaveUp.t < ack.t + (took > timing.ackMs ? together : 0)) {
      return violation(
        'the acknowledgement came only when the tool had given up waiting for an upstream',
        { expected: 'HTTP 200 at once', actual: `an answer after ${took} ms` },
        cite(request, held, gaveUp, ack),
      )
    }
    if (release && ack.t > release.t) {
      return violation(
        'the acknowledgement waited for an upstream: answer first, then work',
        {
          expected: 'HTTP 200 while the upstream is held back',
          actual: `an answer only after the release, after ${took} ms`,
        },
        cite(request, held, release, ack),
      )
    }
    const slow = took > timing.ackMs
    // The work had not begun then, and other calls are acknowledged in time: the machine was busy.
    const begun = t
      .requests('provider')
      .some((each) => isThere(servedPath(each)) && each.t > request.t && each.t < ack.t)
    const busy = !begun && [t, control].some((each) => acknowledgedIn(each, timing.ackMs))
    if (slow && !busy) {
      const difference = { expected: `within ${timing.ackMs} ms`, actual: `${took} ms` }
      return violation('the acknowledgement came late', difference, cite(request, ack))
    }
    return pass('it came while the upstream was held back', cite(request, held, ack, release))
  }
}

/** Whether some call was acknowledged within so many milliseconds. */
export function acknowledgedIn(t: Transcript | undefined, ms: number): boolean {
  if (!t) return false
  return callsOf(t).some(
    ({ request, ack }) => request && ack?.type === 'response' && ack.t - request.t <= ms,
  )
}

/** The call ends although what it asked its provider for is held back. */
export function endsWithoutAnswer(isThere: Path, what: string): Judge {
  return endsEventually(
    'call-1',
    (_, t) => {
      const held = heldRequest(t, isThere)
      return held ? cite(held) : 'no request was held back'
    },
    `${what} was held back`,
  )
}
