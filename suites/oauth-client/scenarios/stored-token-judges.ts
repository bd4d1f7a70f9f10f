/** Judgements of calls that a stored token may serve. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  pathOf,
  show,
  violation,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { arrived, callbackWith } from '../arrival.ts'
import { carries } from '../arguments.ts'
import type { HandedCall } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import { readsLike, waitedFor } from '../endings.ts'
import { afterIssuedToken, judgesOf, type Judge } from '../judges.ts'
import {
  apiRequests,
  askedTooMuch,
  citeEvents,
  firstAnswer,
  hasRefreshToken,
  hasToken,
  isRateLimit,
  issuedGrant,
  refreshesOf,
  refusalOf,
  served,
  tokenAccesses,
  unexplainedUse,
} from '../view.ts'

/** What a scenario of stored tokens is without a refresh token. */
export const noneIssued =
  'the provider issued no refresh token to this client: declare declares.refreshTokens: false'

export function storedTokenJudgesOf(handoff: Handoff) {
  const { callOf, callsOf, words, asksUser } = handoff

  /** Whether a call ended without data, or in other words than a served one, and nobody's token was used until then. */
  const endedWithoutData = (
    t: Transcript,
    first: HandedCall,
    { name, request, ended: [end] }: HandedCall,
  ): boolean => {
    const [real] = first.ended
    if (!real || !end) return false
    const given = handoff.dataGiven?.(t, name)
    if (given ? given.length > 0 : readsLike(handoff, end, real)) return false
    return !t
      .provider('resource-access')
      .some((access) => hasToken(access) && isAfter(access, request) && isAfter(end.event, access))
  }

  /** A call of the user who authorized in an earlier one is served without asking. */
  const reusesToken =
    (authorized = 'call-1', later = 'call-2'): Judge =>
    (t) => {
      const [first, second] = [callOf(t, authorized), callOf(t, later)]
      if (!tokenAccesses(first).some(served))
        return inconclusive(`${authorized} was not served with a token of its own`)
      const answer = firstAnswer(second)
      if (!answer) return inconclusive(`${later} got no answer`)
      const used = tokenAccesses(first).find(
        (access) => isAfter(access, second.request) && served(access),
      )
      const evidence = [...cite(second.request, used), ...citeEvents(answer)]
      if ('text' in answer && isRateLimit(answer)) return inconclusive(askedTooMuch, evidence)
      if ('text' in answer && used) return pass('the stored token was used', evidence)
      return violation(
        `the token that was issued in ${authorized} was not used again`,
        {
          expected: `${words.ended} without a new authorization`,
          actual: 'text' in answer ? answer.text : words.asked,
        },
        evidence,
      )
    }

  /** A call of somebody else is not served with the token of the first caller. */
  const notServedByOthers =
    (name: string): Judge =>
    (t) => {
      const [first, other] = [callOf(t, 'call-1'), callOf(t, name)]
      if (!issuedGrant(first)) return inconclusive('no token was issued, so none could be shared')
      const answer = firstAnswer(other)
      const own = callsOf(t).filter(
        (call) => call.name === first.name || (first.user && call.user === first.user),
      )
      const used = unexplainedUse(own, other)
      if (!answer && !used) {
        const refusal = refusalOf(other)
        return refusal
          ? pass('the other caller is refused', refusal)
          : inconclusive('the other caller got no answer')
      }
      const evidence = [...cite(issuedGrant(first), other.request, used), ...citeEvents(answer)]
      const subject = t.provider('decision', 'call-1')[0]?.detail['subject']
      const text = answer && 'text' in answer ? answer.text : ''
      const named =
        typeof subject === 'string' &&
        (text.includes(subject) || handoff.dataGiven?.(t, name)?.includes(subject) === true)
      if (answer && !used && !named) {
        if ('text' in answer && isRateLimit(answer)) return inconclusive(askedTooMuch, evidence)
        if (!('text' in answer) || answer.error)
          return pass('the other caller is asked to authorize, or refused', evidence)
        return endedWithoutData(t, first, other)
          ? pass('the other caller is refused, before the API was asked', evidence)
          : inconclusive('a result came, but nothing shows whose token was used for it', evidence)
      }
      return violation(
        "a call used another user's token",
        {
          expected: words.asked,
          actual: used ? `${String(used.detail['route'])} with the token of another user` : text,
        },
        evidence,
      )
    }

  /**
   * What the client asks of the API for a call with a stored token shows what the operation is: the retry after consent
   * has the same arguments, and changes nothing twice. Reads may be repeated, and what comes beside may differ.
   */
  const retriesTheSame = (): Judge => (t) => {
    const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
    const issued = issuedGrant(first)
    const all = apiRequests(first).filter((request) => issued && isAfter(request, issued))
    const later = all.filter((request) => isAfter(request, second.request))
    const retry = all.filter((request) => !later.includes(request))
    if (retry.length === 0) return inconclusive('the operation was not retried')
    const evidence = cite(...retry.slice(0, 3), ...later.slice(0, 3))
    const lost = Object.entries(first.arguments).find(
      ([, value]) => carries(later, value) && !carries(retry, value),
    )
    if (lost) {
      return violation(
        'the retry after consent does not have the arguments of the call',
        { expected: `${lost[0]}: ${show(lost[1])}, as with a stored token`, actual: 'not sent' },
        evidence,
      )
    }
    const times = (requests: typeof all, like: (typeof all)[number]): number =>
      requests.filter((each) => sameRequest(each, like)).length
    const twice = retry.find(
      (each) =>
        !/^(GET|HEAD|OPTIONS)$/.test(each.method) &&
        times(retry, each) > Math.max(1, times(later, each)),
    )
    if (!twice) return pass(`${retry.length} requests after consent`, evidence)
    return violation(
      'after consent the operation was carried out more than once',
      {
        expected: 'as often as with a stored token',
        actual: `${times(retry, twice)} times ${twice.method} ${pathOf(twice.url)}`,
      },
      evidence,
    )
  }

  /** A later call asks its user, although the first one was authorized. */
  const reauthorizes =
    (nameOf: (t: Transcript) => string = () => 'call-2'): Judge =>
    (t, context) => {
      if (!issuedGrant(callOf(t))) return inconclusive('no token was issued')
      if (!callOf(t, 'call-2').request) return inconclusive('the second call was not made')
      return asksUser(nameOf(t))(t, context)
    }

  /** A later call ends because its user authorized anew, which takes a URL whose state has not been used yet. */
  const completesAnew =
    (nameOf: (t: Transcript) => string = () => 'call-2'): Judge =>
    (t, context) => {
      const name = nameOf(t)
      const [first, later] = [callOf(t), callOf(t, name)]
      const used = first.authorizationRequests.map(({ detail }) => detail['state'])
      const again = later.authorizationRequests.find(
        ({ detail }) => typeof detail['state'] === 'string' && used.includes(detail['state']),
      )
      const anew = issuedGrant(later)
      const stale = first.accesses.find((access) => isAfter(access, anew) && !served(access))
      if (anew && stale && later.ended.length > 0 && !tokenAccesses(later).some(served)) {
        return violation(
          'the token of the second authorization is not used',
          {
            expected: 'the operation with that token',
            actual: 'the refused token of call-1 again',
          },
          [...cite(anew, stale), ...citeEvents(later.ended[0])],
        )
      }
      const returned = callbackWith(t, name, 'code')
      const isStuck = issuedGrant(first) && !issuedGrant(later) && waitedFor(later, t)
      if (!isStuck || !again || !returned || !arrived(t, returned))
        return judgesOf(handoff).ends(
          name,
          afterIssuedToken,
          'the second authorization',
        )(t, context)
      return violation(
        'the user was shown the URL of an earlier call again; its state was already used',
        { expected: 'a URL with a state of its own', actual: 'the state of call-1, and no token' },
        cite(issuedGrant(first), later.request, again, returned),
      )
    }

  /** A refresh token that was accepted, and with that rotated, is never presented again. */
  const presentsEachOnce = (): Judge => (t) => {
    const refreshes = refreshesOf(t)
    const [first, ...later] = refreshes
    const issued = issuedGrant(callOf(t))
    if (!first && issued && !hasRefreshToken(issued)) return inconclusive(noneIssued, cite(issued))
    if (!first || later.length === 0)
      return inconclusive('it did not refresh twice', cite(...refreshes))
    const presented = refreshes.map((grant) => grant.detail['presented'])
    // A refused attempt rotates nothing, so what it presented may be presented again.
    const reused = refreshes.some(
      (grant, index) =>
        grant.detail['outcome'] === 'issued' &&
        presented.indexOf(grant.detail['presented'], index + 1) > index,
    )
    if (!reused) return pass('a new one each time', cite(...refreshes))
    return violation(
      'a refresh token was presented again after it had been rotated',
      { expected: 'the refresh token of the last response', actual: presented.join(', ') },
      cite(...refreshes),
    )
  }

  /** Every later call of the user is served without asking. */
  const asksNobody =
    (count: number): Judge =>
    (t) => {
      const [first, ...later] = callsOf(t)
      if (!first || !tokenAccesses(first).some(served))
        return inconclusive('the first call was not served with a token')
      const issued = issuedGrant(first)
      if (issued && !hasRefreshToken(issued)) return inconclusive(noneIssued, cite(issued))
      const answered = later.filter((call) => firstAnswer(call) !== undefined)
      const again = answered.find(({ asked }) => asked.length > 0)
      if (again) {
        return violation(
          'a user who had already authorized was asked again',
          { expected: `a refresh, then ${words.ended}`, actual: words.asked },
          [...cite(again.request, ...refreshesOf(t)), ...citeEvents(again.asked[0])],
        )
      }
      if (answered.length < count)
        return inconclusive(`${answered.length} of ${count} calls were answered`)
      if (refreshesOf(t).length === 0) return inconclusive('nothing was refreshed')
      return pass(`${count} calls without a question`, cite(...refreshesOf(t)))
    }

  return {
    reusesToken,
    notServedByOthers,
    retriesTheSame,
    reauthorizes,
    completesAnew,
    presentsEachOnce,
    asksNobody,
  }
}

function sameRequest(one: Recorded<RequestEvent>, other: Recorded<RequestEvent>): boolean {
  return one.method === other.method && one.url === other.url && one.body?.text === other.body?.text
}
