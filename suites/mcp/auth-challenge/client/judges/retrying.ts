/** Judgements about the call that is made again. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  show,
  violation,
  watchedAfter,
} from '../../../../../harness/engine/index.ts'
import { partsOf } from '../../../../oauth-client/parts.ts'
import { issuedGrant } from '../../../../oauth-client/view.ts'
import { sentChannel } from '../../../wire/link.ts'
import { textIn } from '../../../wire/values.ts'
import {
  callOf,
  callsOf,
  flowAfter,
  placesOf,
  retriesAfterToken,
  type Attempt,
  type CallView,
} from '../view.ts'
import { watchedChallenge, type Judge } from './judge.ts'

/** With the token, once, and as it was. */
export const retriesOnce: Judge = (t) => {
  const call = callOf(t)
  const issued = issuedGrant(call)
  const [first] = call.attempts
  if (!issued || !first) return inconclusive('no token was issued')
  const [retry, again] = retriesAfterToken(call)
  if (!retry) {
    const waited = watchedAfter(t, issued) ?? t.steps('gave-up', call.name)[0]
    if (waited === undefined)
      return inconclusive('the run did not wait for the retry', cite(issued))
    return violation(
      'the call was not made again with the token',
      { expected: 'tools/call with Authorization: Bearer', actual: 'none' },
      cite(issued),
    )
  }
  if (again) {
    return violation(
      'the call was made again more than once with the token',
      { expected: 'one retry', actual: 'a further one after it' },
      cite(issued, retry.event, again.event),
    )
  }
  const [before, after] = [first, retry].map(({ params }) => whatIsCalled(params))
  if (before === after) return pass('the same call, with the token', cite(first.event, retry.event))
  return violation(
    'the retry is not the call that was challenged',
    { expected: String(before), actual: String(after) },
    cite(first.event, retry.event),
  )
}

/** Two calls were challenged before there was a token: each is made again. */
export const retriesBoth: Judge = (t) => {
  const calls = [callOf(t), callOf(t, 'call-2')]
  const [issued] = calls.flatMap((call) => issuedGrant(call) ?? [])
  if (!issued) return inconclusive('no token was issued')
  const challenge = calls[1]?.challenges[0]?.event
  if (!challenge || !isAfter(issued, challenge))
    return inconclusive('the second call was not challenged before there was a token', cite(issued))
  const retries = calls.map(({ attempts }) => attempts.find(({ authorized }) => authorized))
  for (const [index, call] of calls.entries()) {
    const [first, retry] = [call.attempts[0], retries[index]]
    if (first && retry && whatIsCalled(first.params) !== whatIsCalled(retry.params)) {
      return violation(
        'the retry is not the call that was challenged',
        { expected: whatIsCalled(first.params), actual: whatIsCalled(retry.params) },
        cite(first.event, retry.event),
      )
    }
  }
  const lost = calls.find((_, index) => !retries[index])
  if (!lost) return pass('both', cite(challenge, ...retries.map((retry) => retry?.event)))
  const note = textIn(lost.arguments['note'])
  const told = lost.shown.find(
    (event) => isAfter(event, lost.challenges[0]?.event) && event.text.includes(note),
  )
  // Who cannot wait for two may end one of them.
  if (told) return inconclusive('its user was told of the call that was not made again', cite(told))
  if (!watchedAfter(t, issued) && !t.steps('gave-up', lost.name)[0])
    return inconclusive('the run did not wait for the retry', cite(issued))
  return violation(
    'of two calls that were challenged at the same time one was not made again',
    { expected: 'both, each with the token', actual: `nothing more of ${lost.name}` },
    cite(lost.challenges[0]?.event, issued),
  )
}

/** Who has a token does not wait to be challenged, and sends it with every request, of one session as well. */
export const keepsToken: Judge = (t) => {
  const [retry] = retriesAfterToken(callOf(t))
  const [served] = callOf(t).served
  if (!retry || !served) return inconclusive('no call was served with a token')
  const [next] = callOf(t, 'call-2').attempts
  if (!next) return inconclusive('there was no other call', cite(served.event))
  const evidence = cite(retry.event, served.event, next.event)
  const [endpoint] = placesOf(t).servers
  const bare = t
    .requests(sentChannel)
    .filter((request) => request.url === endpoint && isAfter(request, served.event))
    .find(({ headers }) => !('authorization' in headers))
  if (bare && next.authorized) {
    return violation(
      'the next call has the token, and another request after that call was served has none',
      { expected: 'Authorization: Bearer in every request', actual: `${bare.method} without it` },
      [...evidence, ...cite(bare)],
    )
  }
  if (next.authorized) return pass('it has the token', evidence)
  return violation(
    'the call after one that was served with the token was made without it',
    { expected: 'tools/call with Authorization: Bearer', actual: 'tools/call without a token' },
    evidence,
  )
}

/** Name and arguments, whatever the order of members. */
function whatIsCalled({ name, arguments: args }: Readonly<Record<string, unknown>>): string {
  const entries = typeof args === 'object' && args !== null ? Object.entries(args) : []
  return show({
    name,
    arguments: Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b))),
  })
}

/** The first time that the call was made again without a token, once it had been challenged. */
function bareAttempt({ attempts, challenges: [challenge] }: CallView): Attempt | undefined {
  return attempts.find(({ event, authorized }) => !authorized && isAfter(event, challenge?.event))
}

/** Where a flow has failed, who has no token may ask its user anew, but only tries again what leads there. */
export const repeatsNothing: Judge = (t) => {
  const calls = [...partsOf(t).values()].flatMap((part) =>
    callsOf(part).map((call) => ({ ...call, part })),
  )
  const challenged = calls.filter(({ challenges }) => challenges.length > 0)
  for (const { part, ...call } of challenged) {
    const [challenge] = call.challenges
    const bare = bareAttempt(call)
    if (!bare || flowAfter(call, bare.event) || !watchedAfter(part, bare.event)) continue
    // Who had a token may have thrown it away.
    if (call.attempts.some((each) => each.authorized && isAfter(bare.event, each.event))) continue
    return violation(
      'a call was made again without a token, although its flow had failed',
      { expected: 'no tools/call until there is a token', actual: 'tools/call without one' },
      cite(challenge?.event, bare.event),
    )
  }
  const followed = challenged.filter((call) => flowAfter(call, call.challenges[0]?.event))
  const [first] = followed
  if (!first) return inconclusive('no challenge was followed in the whole run')
  return pass(`${followed.length} calls`, cite(first.challenges[0]?.event))
}

/** Nothing is repeated without a token, in whichever session. */
export const waitsForToken: Judge = (t) => {
  const call = callOf(t)
  const [challenge] = call.challenges
  const bare = bareAttempt(call)
  if (challenge && bare) {
    return violation(
      'the call was made again without a token',
      { expected: 'nothing until there is a token', actual: 'tools/call without Authorization' },
      cite(challenge.event, bare.event),
    )
  }
  const reached = watchedChallenge(t, call)
  return typeof reached === 'string' ? inconclusive(reached) : pass('nothing was repeated', reached)
}

/** Calls with a token that are refused one after the other before that counts as without end. */
export const mostRefusals = 5

/** What its user is shown after the last time that it was refused. */
export function shownAfterRefusal({ challenges, shown }: CallView) {
  const last = challenges.at(-1)?.event
  return last && shown.find((event) => isAfter(event, last))
}

export const isBounded: Judge = (t) => {
  const call = callOf(t)
  const [challenge] = call.challenges
  const tried = call.attempts.filter(({ authorized }) => authorized)
  if (!challenge || tried.length === 0)
    return inconclusive('the client did not come back with a token')
  const evidence = cite(challenge.event, tried.at(-1)?.event)
  if (tried.length > mostRefusals) {
    return violation(
      'the client repeats the call again and again although every token is refused',
      {
        expected: `at most ${mostRefusals} calls with a token that the server refuses`,
        actual: `${tried.length}, and more to come`,
      },
      evidence,
    )
  }
  const last = call.challenges.at(-1)?.event ?? challenge.event
  const flow = flowAfter(call, last)
  if (flow)
    return inconclusive('the client continues, and the run did not see how often', [
      ...evidence,
      ...cite(flow),
    ])
  if (tried.at(-1) !== call.attempts.at(-1) || !isAfter(last, tried.at(-1)?.event))
    return inconclusive('its last call was not answered', evidence)
  if (watchedAfter(t, last) === undefined)
    return inconclusive('the run did not watch what happened next', evidence)
  const told = shownAfterRefusal(call)
  return told
    ? pass(`it gave up after ${tried.length}`, [...evidence, ...cite(told)])
    : inconclusive('nothing that was shown says that it has given up', evidence)
}

/** A denial ends it: nothing is retried, and the user is told. */
export const endsByDenial: Judge = (t) => {
  const call = callOf(t)
  const denied = mark(t, 'denied')
  const came = t.requests('browser', call.name).find((request) => isAfter(request, denied))
  const answer = came && t.answer(came)
  if (!denied || !came || answer?.type !== 'response')
    return inconclusive('the denial did not reach the client')
  const attempt = call.attempts.find(({ event }) => isAfter(event, came))
  if (attempt) {
    return violation(
      'the call was repeated although its user had denied',
      { expected: 'no further call', actual: 'tools/call' },
      cite(came, attempt.event),
    )
  }
  const reopened = call.opened.find((event) => isAfter(event, came))
  if (reopened) {
    return violation(
      'the user was sent to sign in again immediately after a denial',
      { expected: 'nothing until its user asks for it', actual: String(reopened.detail['url']) },
      cite(came, reopened),
    )
  }
  if (watchedAfter(t, answer) === undefined)
    return inconclusive('the run did not watch what happened next', cite(came))
  const told = call.shown.find((event) => isAfter(event, came))
  if (told) return pass('nothing was retried, and its user was told', cite(came, told))
  return violation(
    'the user is not told that the call has failed',
    { expected: 'a message about it', actual: 'nothing was shown after the denial' },
    cite(came, answer),
  )
}
