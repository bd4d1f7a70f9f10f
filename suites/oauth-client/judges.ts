/**
 * Judgements that several scenarios of an OAuth client share. Each takes the name of a call and returns the function
 * that judges it; each says `inconclusive` unless the transcript proves that the stimulus arrived.
 */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  violation,
  watched,
  type Check,
  type JudgingContext,
  type Transcript,
} from '../../harness/engine/index.ts'
import { arrived, callbackWith, finishesByScript } from './arrival.ts'
import type { Handoff } from './handoff.ts'
import type { ClientDeclared } from './declarations.ts'
import {
  waitedFor,
  noneWithin,
  lastFailure,
  statusOf,
  timedOutBefore,
  endAfter,
  timedOutAfter,
  longestAnswer,
  namesFailure,
} from './endings.ts'
import type { Asked, Ended, HandedCall, Reached } from './handed-call.ts'
import { describesNothing } from './no-description.ts'
import {
  citeEvents,
  issuedGrant,
  mayHaveTimedOut,
  refusalIn,
  served,
  tokenAccesses,
  upstreamAt,
} from './view.ts'

export type Context = JudgingContext<ClientDeclared>
export type Judge = Check<ClientDeclared>['judge']
/** What must have happened before a judgement means anything. */
export type Prerequisite = (call: HandedCall, t: Transcript) => Reached

export function check(requirement: string, title: string, judge: Judge): Check<ClientDeclared> {
  return { requirement, title, judge }
}

/** A token was issued to the flow of the call. */
export function afterIssuedToken(call: HandedCall): Reached {
  const issued = issuedGrant(call)
  return issued ? cite(issued) : 'no token was issued'
}

/** A token request with the code of this flow was made, whatever came of it. */
export function afterTokenRequest(call: HandedCall): Reached {
  const [request] = upstreamAt(call, '/token')
  return request ? cite(request) : 'no token request with the code of this flow was made'
}

/** The operation was carried out with a token. */
export function afterServedRetry(call: HandedCall): Reached {
  const access = tokenAccesses(call).find(served)
  return access ? cite(access) : 'the protected API did not serve the retried operation'
}

/** Where the user was asked once more, after what was given. */
function askedAfter({ asked }: HandedCall, reached: Reached): Asked[] {
  if (typeof reached === 'string') return []
  return asked.filter(({ event }) => reached.some(({ seq }) => seq < event.seq))
}

export function judgesOf({ callOf, words, mayAskAnew, readsAsServed }: Handoff) {
  /** The call ends once what is given has happened. */
  const ends =
    (name: string, prerequisite: Prerequisite, description: string): Judge =>
    (t, context) => {
      const call = callOf(t, name)
      const reached = prerequisite(call, t)
      if (typeof reached === 'string') return inconclusive(reached)
      const end = endAfter(call, reached)
      if (end) return pass(`${words.ended} arrived`, [...reached, ...citeEvents(end)])
      const waited = gaveUpAfter(t, name) ?? watched(t)
      if (waited === undefined) return inconclusive('the run did not wait for a result')
      const failed = lastFailure(call, t)
      if (timedOutBefore(call, context)) return inconclusive(maybeTimedOut)
      return violation(
        `the call did not end after ${description}`,
        {
          expected: words.ended,
          actual:
            call.ended.length > 0
              ? 'only one from before'
              : [noneWithin(waited), ...statusOf(failed)].join('; '),
        },
        [...reached, ...cite(call.request, failed)],
      )
    }

  /** The call ends, or its user is asked anew, where the protocol has calls repeated. */
  const endsOrAsks = (name: string, prerequisite: Prerequisite, description: string): Judge => {
    const arrives = ends(name, prerequisite, description)
    return (t, context) => {
      const judgement = arrives(t, context)
      const call = callOf(t, name)
      const reached = prerequisite(call, t)
      if (judgement.outcome === 'pass' || !mayAskAnew || typeof reached === 'string')
        return judgement
      const [anew] = askedAfter(call, reached)
      if (anew) return pass('the user is asked again', [...reached, ...citeEvents(anew)])
      return call.ended.length > 0
        ? inconclusive('the call had already ended, so only a later call could show it', reached)
        : judgement
    }
  }

  /**
   * The call ends, however long that takes. Where the declared pending timeout is longer than was waited, a missing
   * end proves nothing; where an upstream was held back, nor does one that comes only when it is let go.
   */
  const endsEventually = (name: string, prerequisite: Prerequisite, description: string): Judge => {
    const arrives = endsOrAsks(name, prerequisite, description)
    return (t, context) => {
      const judgement = arrives(t, context)
      const { pendingTimeoutMs } = context.declared
      const waited = gaveUpAfter(t, name) ?? 0
      const call = callOf(t, name)
      const [release] = t.steps('release')
      const answers = [...call.asked, ...call.ended].toSorted((a, b) => a.event.seq - b.event.seq)
      const given = answers.find(({ event }) => isAfter(event, release))
      const timely = mayAskAnew
        ? [...call.ended, ...askedAfter(call, prerequisite(call, t))]
        : call.ended
      if (given && !timely.some(({ event }) => isAfter(release!, event))) {
        const first = t.steps('gave-up', name)[0]?.detail['within']
        const why = `pending for ${String(first)} ms without an answer, for which no limit is set`
        return inconclusive(
          `${why}: let the run wait longer (timing.maxWait, --max-wait)`,
          citeEvents(given),
        )
      }
      if (judgement.outcome !== 'violation' || pendingTimeoutMs === undefined) return judgement
      if (waited >= pendingTimeoutMs + context.timing.graceMs) return judgement
      const reason = `no end within ${waited} ms, but the declared pendingTimeout is ${pendingTimeoutMs} ms`
      return inconclusive(`${reason}: let the run wait longer (timing.maxWait, --max-wait)`)
    }
  }

  /** The call ends because of what happened, and not only by the pending timeout of a call that nobody finished. */
  const endsByItself = (
    description: string,
    prerequisite: Prerequisite,
    name = 'call-1',
    isTold: (end: Ended) => boolean = () => false,
  ): Judge => {
    const arrives = endsOrAsks(name, prerequisite, description)
    return (t, context) => {
      const judgement = arrives(t, context)
      const call = callOf(t, name)
      const reached = prerequisite(call, t)
      const end = endAfter(call, reached)
      // Whoever asked anew ends for what became of that.
      const anew = mayAskAnew ? askedAfter(call, reached) : []
      if (!end || anew.some(({ event }) => isAfter(end.event, event))) return judgement
      const pause = timedOutAfter(call, end, t, context)
      if (pause === undefined || isTold(end)) return judgement
      const cause = t.events.find((event) =>
        judgement.evidence.some(({ seq }) => seq === event.seq),
      )
      if (cause && mayHaveTimedOut(call, cause, context.declared.pendingTimeoutMs))
        return inconclusive(maybeTimedOut, judgement.evidence)
      if (pause < 4 * longestAnswer(call, t)) {
        return inconclusive(
          'the call ended so late that its pending timeout may have ended it',
          judgement.evidence,
        )
      }
      return violation(
        `the call ended only when its pending timeout was over, not because of ${description}`,
        {
          expected: `${words.ended} as soon as the failure is known`,
          actual: `${words.ended} after the declared pendingTimeout of ${context.declared.pendingTimeoutMs} ms`,
        },
        judgement.evidence,
      )
    }
  }

  /** A flow that failed is reported: the call ends because of it, in words, and not as if nothing had happened. */
  const reportsFailure = (
    description: string,
    prerequisite: Prerequisite,
    name = 'call-1',
  ): Judge => {
    // What is delivered late may happen to come when the timeout was due.
    const byItself = endsByItself(description, prerequisite, name, namesFailure)
    return (t, context) => {
      const judgement = byItself(t, context)
      const call = callOf(t, name)
      const end = endAfter(call, prerequisite(call, t))
      if (judgement.outcome !== 'pass' || !end) return judgement
      const twin = context.control && callOf(context.control)
      const undisturbed = twin?.ended[0]
      // What the API served is not made up: that its token should not have been used is said elsewhere.
      const hasData = tokenAccesses(call).some((each) => served(each) && isAfter(end.event, each))
      const isServed = twin !== undefined && tokenAccesses(twin).some(served)
      const saysTheSame =
        !end.error && end.text.trim() !== '' && end.text === undisturbed?.text && isServed
      if (undisturbed && !hasData && (saysTheSame || readsAsServed?.(end, undisturbed))) {
        return violation(
          `the result reads as if the operation had succeeded, despite ${description}`,
          { expected: 'an error description', actual: end.text },
          judgement.evidence,
        )
      }
      if (!describesNothing(end.text))
        return pass(`${words.ended} describes it`, judgement.evidence)
      return violation(
        'the result does not describe the error',
        { expected: 'an error description', actual: end.text.trim() || 'no words at all' },
        judgement.evidence,
      )
    }
  }

  /** The code was redeemed. */
  const exchangesCode =
    (name = 'call-1'): Judge =>
    (t, { declared }) => {
      const call = callOf(t, name)
      const returned = callbackWith(t, name, 'code')
      if (!returned || !arrived(t, returned))
        return inconclusive('no code reached the callback endpoint')
      const issued = issuedGrant(call)
      if (issued) return pass('the provider issued tokens for the code', cite(issued))
      if (!waitedFor(call, t)) return inconclusive(nobodyWaited, cite(returned))
      const refused = call.grants[0]
      if (!refused && finishesByScript(t.answer(returned)))
        return inconclusive(
          'the page that the code was brought to has a script that may go on with it, and no script is run here',
          cite(returned, t.answer(returned)),
        )
      if (
        !refused &&
        mayHaveTimedOut(call, t.answer(returned) ?? returned, declared.pendingTimeoutMs)
      )
        return inconclusive('the declared pendingTimeout may have been over before the callback')
      return violation(
        refused ? 'the provider refused the token request' : 'the code was never exchanged',
        {
          expected: 'a token request that the provider accepts',
          actual: refused ? refusalIn(refused) : 'none',
        },
        cite(returned, refused),
      )
    }

  /** The operation was tried again with a token of this very flow. */
  const retriesOperation =
    (name = 'call-1'): Judge =>
    (t, context) => {
      const call = callOf(t, name)
      const issued = issuedGrant(call)
      if (!issued) return inconclusive('no token was issued')
      const retry = tokenAccesses(call).find((access) => isAfter(access, issued))
      if (retry)
        return pass(`${String(retry.detail['route'])} with the new token`, cite(issued, retry))
      if (!waitedFor(call, t)) return inconclusive(nobodyWaited, cite(issued))
      if (timedOutBefore(call, context)) return inconclusive(maybeTimedOut, cite(issued))
      return violation(
        'the operation was not retried with the new token',
        {
          expected: 'a request to the protected API with the token that was just issued',
          actual: 'none',
        },
        [...cite(issued), ...citeEvents(call.ended[0])],
      )
    }

  /** Whatever was unusual about the token response, the token in it was used. */
  const acceptsTokens =
    (name = 'call-1'): Judge =>
    (t, context) => {
      const { control } = context
      const call = callOf(t, name)
      const issued = issuedGrant(call)
      if (!issued) return inconclusive('no token was issued')
      const used = tokenAccesses(call).find((access) => isAfter(access, issued))
      if (used) return pass('the token was used', cite(issued, used))
      if (control && tokenAccesses(callOf(control)).length === 0)
        return inconclusive('the token of an ordinary response is not used either', cite(issued))
      if (!waitedFor(call, t)) return inconclusive(nobodyWaited, cite(issued))
      if (timedOutBefore(call, context)) return inconclusive(maybeTimedOut, cite(issued))
      return violation(
        'a valid token response was not accepted',
        {
          expected: 'the operation is retried with the token',
          actual: call.ended[0]?.text || 'nothing',
        },
        [...cite(issued), ...citeEvents(call.ended[0])],
      )
    }

  return {
    ends,
    endsEventually,
    endsByItself,
    reportsFailure,
    exchangesCode,
    retriesOperation,
    acceptsTokens,
  }
}

const maybeTimedOut =
  'the declared pendingTimeout may have ended the call before: declare a longer one, or use a faster machine'

const nobodyWaited = 'the recording stops before the call ended, so more may have come later'
