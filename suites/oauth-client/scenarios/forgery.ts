/** Judgements of callbacks that nobody but an attacker has reason to send: marked "forged", then "genuine". */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  violation,
  type ProviderRecord,
  type Recorded,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { firstArrived, wasOneTooMany } from '../arrival.ts'
import type { Ended, Reached } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import { readsLike, waitedFor } from '../endings.ts'
import { type Judge } from '../judges.ts'
import { citeEvents, issuedGrant, mayHaveTimedOut, namesAccount, tokenAccesses } from '../view.ts'

export function forgeryJudgesOf(handoff: Handoff) {
  const { callOf, words } = handoff
  const noTokenRequest = (name?: string, what = 'a forged callback'): Judge => {
    return (t) => {
      const call = callOf(t, name)
      const request = call.authorizationRequests[0]
      const reached = forgeryReached(t, name)
      if (typeof reached === 'string') return inconclusive(reached)
      if (request && !request.detail['state']) {
        return violation(
          'the authorization request has no state, so forged callbacks cannot be detected',
          { expected: 'a state parameter', actual: 'none' },
          cite(request),
        )
      }
      const grant = call.grants.find((each) => forgeryWindow(t).inside(askedFor(t, each)))
      if (!grant) return pass('no token request followed', reached)
      return violation(
        `${what} was accepted: the client went on to the token endpoint`,
        {
          expected: 'no token request',
          actual: `a token request, ${String(grant.detail['outcome'])}`,
        },
        [...reached, ...cite(grant)],
      )
    }
  }

  const completesNothing = (): Judge => {
    return (t, { declared, control }) => {
      const call = callOf(t)
      const reached = forgeryReached(t)
      if (typeof reached === 'string') return inconclusive(reached)
      const grant = call.grants.find(
        (each) => forgeryWindow(t).inside(askedFor(t, each)) && each.detail['outcome'] === 'issued',
      )
      if (grant) {
        const difference = { expected: 'nothing is stored', actual: 'tokens were fetched' }
        return violation('a forged callback stored a token', difference, [
          ...reached,
          ...cite(grant),
        ])
      }
      const result = call.ended.find((message) => forgeryWindow(t).inside(message.event))
      // What the operation would bring completes it; any words may be the report of a failed flow, in any language.
      const real = control && callOf(control).ended[0]
      const accessed = tokenAccesses(call).some(forgeryWindow(t).inside)
      if (result && !accessed && mayHaveTimedOut(call, result.event, declared.pendingTimeoutMs))
        return inconclusive('the declared pendingTimeout may have ended the call', reached)
      if (result && (accessed || namesAccount(t, result) || (real && readsAsReal(result, real)))) {
        return violation(
          'a forged callback completed the call',
          { expected: `not ${words.ended}`, actual: result.text },
          [...reached, ...citeEvents(result)],
        )
      }
      return pass('nothing was stored and nothing completed', reached)
    }
  }

  const readsAsReal = (result: Ended, real: Ended): boolean =>
    !result.error && readsLike(handoff, result, real)

  const keepsCall = (): Judge => {
    return (t, { declared, control }) => {
      const call = callOf(t)
      const reached = forgeryReached(t)
      if (typeof reached === 'string') return inconclusive(reached)
      const late = inconclusive(
        'the declared pendingTimeout may have been over before the genuine callback: declare a longer one, or use a faster machine',
        reached,
      )
      const isLate = (event: { readonly t: number }): boolean =>
        mayHaveTimedOut(call, event, declared.pendingTimeoutMs)
      const ended = call.ended.find((message) => forgeryWindow(t).inside(message.event))
      if (ended && isLate(ended.event)) return late
      if (ended) {
        return violation(
          'anyone who knows the callback URL can end the pending calls of others',
          {
            expected: 'the call stays pending for the genuine callback',
            actual: ended.text,
          },
          [...reached, ...citeEvents(ended)],
        )
      }
      const issued = completedAfter(t)
      if (issued)
        return pass('the genuine callback still completed the call', [...reached, ...cite(issued)])
      const genuine = mark(t, 'genuine')
      const returned = genuineCallback(t)
      // Where nobody listens any more, the call was not kept.
      if (returned && wasOneTooMany(t, returned))
        return inconclusive('the genuine callback was one too many at a time', [
          ...reached,
          ...cite(returned),
        ])
      const arrival = (returned && t.answer(returned)) ?? returned ?? genuine
      if (arrival && isLate(arrival)) return late
      if (control && !issuedGrant(callOf(control)))
        return inconclusive(
          'no callback completes a call, not even a genuine one without forged ones',
          reached,
        )
      if (!waitedFor(call, t))
        return inconclusive('the run did not wait for the effect of the genuine callback', reached)
      return violation(
        'after a forged callback the genuine one no longer completes the call',
        { expected: 'the genuine callback is accepted', actual: 'no tokens were issued' },
        reached,
      )
    }
  }

  /** The tokens of the genuine callback that came after the forged one. */
  const completedAfter = (t: Transcript): Recorded<ProviderRecord> | undefined => {
    const genuine = mark(t, 'genuine')
    return callOf(t).grants.find(
      (grant) => grant.detail['outcome'] === 'issued' && isAfter(grant, genuine),
    )
  }

  /** The same of a callback that is no invention, and works once (RFC 9700 §4.7.1). */
  const refusesUsed = noTokenRequest(undefined, 'a callback with a used state')

  return { noTokenRequest, refusesUsed, completesNothing, keepsCall, completedAfter }
}

/** Between the forged callback, of that call where several have one, and the genuine one: what the forgery caused. */
export function forgeryWindow(t: Transcript, call?: string) {
  const from = mark(t, 'forged')
  const until = mark(t, 'genuine')
  const inside = (event: { t: number; seq: number }): boolean =>
    isAfter(event, from) && (until === undefined || isAfter(until, event))
  const forged = firstArrived(t, t.requests('browser', call).filter(inside))
  const answer = forged && t.answer(forged)
  return { forged, answer, inside }
}

/** The callback that the provider has sent, after the forged one. */
function genuineCallback(t: Transcript) {
  const genuine = mark(t, 'genuine')
  const visits = t.requests('browser').filter((request) => isAfter(request, genuine))
  return firstArrived(t, visits)
}

/** Whether a client that has answered the forged callback refuses the genuine one, or listens no more. */
export function flowEndedByForgery(t: Transcript): boolean {
  const returned = mark(t, 'genuine') && genuineCallback(t)
  const answer = returned && t.answer(returned)
  if (typeof forgeryReached(t) === 'string' || !answer || wasOneTooMany(t, returned)) return false
  return answer.type === 'failure' ? answer.code !== 'timeout' : answer.status >= 400
}

/** The request that a provider has decided about, perhaps late: who had asked before was not made to by a forgery. */
function askedFor(t: Transcript, grant: Recorded<ProviderRecord>) {
  return t.requests('provider').find(({ exchange }) => exchange === grant.exchange) ?? grant
}

/** Reach: the client answered the forged callback. */
export function forgeryReached(t: Transcript, call?: string): Reached {
  const { forged, answer } = forgeryWindow(t, call)
  if (!forged) return 'the forged callback was not sent'
  if (!answer) return 'the forged callback was still unanswered at the end'
  if (answer.type !== 'response') return `the forged callback got no answer: ${answer.message}`
  if (wasOneTooMany(t, forged)) return 'the forged callback was one too many at a time'
  return cite(forged, answer)
}
