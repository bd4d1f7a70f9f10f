import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  violation,
  watched,
} from '../../../../harness/engine/index.ts'
import { answeredCallback } from '../../../oauth-client/arrival.ts'
import { judgesOf } from '../../../oauth-client/judges.ts'
import { forgeryReached } from '../../../oauth-client/scenarios/index.ts'
import {
  firstAnswer,
  hasRefreshToken,
  issuedGrant,
  refreshesOf,
  served,
  tokenAccesses,
} from '../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { refusedWithoutCredential, takesNone } from '../refused-answers.ts'
import { callOf, type CallView } from '../view.ts'
import { control, scenario } from './define.ts'

const { reportsFailure } = judgesOf(handoff)

/** Words for what still waits, and for what was refused: who says both tells what the denial has ended. */
const isPending = /pending|await|waiting/i
const tellsDenial =
  /den(y|ied)|declin|refus|reject|cancel|not authori[sz]ed|no longer|\b(no|not|nothing)\b.{0,40}pending/i

/** The denial is reported, and the model is not told that it is still waited for. */
const reportsDenial: Judge = (t, context) => {
  const call = callOf(t)
  const denied = answeredCallback(t, 'call-1', 'error')
  const [back] = t.requests('browser', call.name)
  const refused = refusedWithoutCredential(t)
  if (typeof denied !== 'string' && refused && call.ended.length === 0) {
    return violation(
      `${takesNone}, so that the model is not told of a failure`,
      { expected: 'an error under the id of the paused call', actual: `HTTP ${refused.status}` },
      [...denied, ...cite(refused)],
    )
  }
  const standIn = call.results.find(
    ({ placeholder, event }) => placeholder && isAfter(event, back) && !asksAgain(call, event),
  )
  const [end] = call.ended
  // An error may say that nothing is pending any more.
  const said = standIn ? JSON.stringify(standIn.value) : end?.error ? undefined : end?.text
  const event = standIn?.event ?? end?.event
  const isToldPending = said !== undefined && isPending.test(said)
  if (typeof denied === 'string' || !isToldPending || (!standIn && tellsDenial.test(said)))
    return reportsFailure('the denial', () => denied)(t, context)
  return violation(
    'the model is told that authorization is pending, although the user has denied it',
    { expected: 'an error that says so', actual: said },
    [...denied, ...cite(event)],
  )
}

/** Whether the same answer brought a new credential request: then it is pending indeed. */
function asksAgain({ requests }: CallView, { seq }: { readonly seq: number }): boolean {
  return requests.some(({ event }) => event.seq === seq)
}

const deniedConsent = scenario({
  id: 'denied-consent',
  title: 'the user denies, then calls again and approves',
  control,
  async drive({ begin, user, observe }) {
    const call = begin(user)
    await user.deny(call)
    await call.settle()
    const again = begin(user)
    await user.approve(again)
    await again.ended()
    await observe()
  },
  checks: [
    check('oauth-client/report-denial', 'reports the denial', reportsDenial),
    check(
      'adk-credential/agent/denial-not-remembered',
      'asks again for a later call',
      (t, { control: twin }) => {
        if (twin && !(issuedGrant(callOf(twin)) && callOf(twin).ended.length > 0))
          return inconclusive('no call completes, not even a normal one')
        const denied = answeredCallback(t, 'call-1', 'error')
        if (typeof denied === 'string') return inconclusive(denied)
        const again = callOf(t, 'call-2')
        const answer = again.messages[0] && t.answer(again.messages[0])
        if (!again.request || answer?.type !== 'response')
          return inconclusive('the later call was not answered')
        const [request] = again.requests
        const end = again.ended[0]
        if (request && issuedGrant(again) && end)
          return pass('it asked and completed', cite(request.event, end.event))
        const back = t.requests('browser', 'call-2').find((each) => t.answer(each) !== undefined)
        if (request && !back) return inconclusive('the later request was not answered')
        return violation(
          'after a denial later calls no longer complete',
          {
            expected: 'a new credential request, and the result after consent',
            actual: request ? (end?.text ?? 'no result') : (end?.text ?? 'no request'),
          },
          [...denied, ...cite(again.request, answer)],
        )
      },
    ),
  ],
})

const replayed = scenario({
  id: 'answer-replayed',
  title: 'the answer of a call that has its result, once more',
  control,
  async drive({ begin, user, observe, mark }) {
    const call = begin(user)
    const flow = await user.approve(call)
    await call.ended()
    mark('forged')
    await user.follow(flow)
    await observe()
  },
  checks: [
    check('adk-credential/agent/replay-runs-no-tool', 'does not run the tool again', (t) => {
      const call = callOf(t)
      const reached = forgeryReached(t)
      if (typeof reached === 'string') return inconclusive(reached)
      const again = tokenAccesses(call).find((access) => isAfter(access, mark(t, 'forged')))
      if (again) {
        return violation(
          'the tool was run again by an answer that was repeated',
          { expected: 'no request to the API', actual: String(again.detail['route']) },
          [...reached, ...cite(again)],
        )
      }
      if (!tokenAccesses(call).some(served)) return inconclusive('the tool was never served')
      if (watched(t) === undefined) return inconclusive('the run did not watch what happens next')
      return pass('the API was not called again', reached)
    }),
  ],
})

/** Seconds that a token lives which is within the leeway of a minute. */
const shortly = 30

const aboutToExpire = scenario({
  id: 'token-about-to-expire',
  title: 'the access token has half a minute left when its user calls again',
  control,
  notApplicable: ({ refreshTokens }) =>
    refreshTokens ? undefined : 'declares.refreshTokens is false',
  async drive({ begin, user, observe }) {
    const first = begin(user)
    await user.approve(first, { access_token_lifetimes: [shortly, 3600] })
    await first.ended()
    await begin(user).answered()
    await observe()
  },
  checks: [
    check('adk-credential/agent/leeway', 'refreshes it before it is used', (t) => {
      const [first, second] = [callOf(t), callOf(t, 'call-2')]
      const issued = issuedGrant(first)
      if (!issued || !hasRefreshToken(issued))
        return inconclusive('the provider issued no refresh token to this client', cite(issued))
      const answer = firstAnswer(second)
      if (!answer) return inconclusive('the second call was not answered')
      const [refresh] = refreshesOf(t)
      if (refresh) return pass('it was refreshed', cite(issued, refresh))
      if (!('text' in answer)) return inconclusive('the user was asked again', cite(answer.event))
      return violation(
        'a token that expires within a minute was used without a refresh',
        { expected: 'a refresh before the second call', actual: 'none' },
        cite(issued, second.request, answer.event),
      )
    }),
  ],
})

export const outcomeScenarios = [deniedConsent, replayed, aboutToExpire]
