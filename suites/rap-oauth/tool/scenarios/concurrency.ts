import { isRateLimit, issuedGrant, mayHaveTimedOut } from '../../../oauth-client/view.ts'
import { arrived, callbackWith } from '../../../oauth-client/arrival.ts'
import {
  anyName,
  cite,
  gaveUpAfter,
  inconclusive,
  NotOffered,
  pass,
  Unreached,
  violation,
  type Judgement,
  type Transcript,
  isAfter,
  show,
  worstOf,
} from '../../../../harness/engine/index.ts'
import { textOf } from '../../messages.ts'
import { check, singleResult, type Context, type Judge } from '../checks.ts'
import type { Call } from '../call.ts'
import type { Fixtures } from '../test-bed.ts'
import {
  callOf,
  callsOf,
  citeMessages,
  isTaken,
  saysNotNow,
  wasRefused,
  type CallView,
} from '../view.ts'
import { subjectsOf } from '../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { scenario } from './define.ts'
import { acknowledgedIn } from './held-back.ts'
import { callsTogether } from './needs.ts'
import { eachInTurn, pendingTogether } from './pending-together.ts'
import { isServed } from './served.ts'

const control = 'authorize-and-complete'

type Pair = (fixtures: Fixtures) => Promise<readonly [Call, Call]>

/** Two calls of one user. A tool may complete both at once, give both the same URL, or have one wait for the other. */
const ofOneUser =
  (pair: Pair) =>
  async (fixtures: Fixtures): Promise<void> => {
    const { user, observe, timing } = fixtures
    const calls = await pair(fixtures)
    await pendingTogether(calls, timing)
    // Whoever is asked takes their time: no acknowledgement may wait for that.
    await Promise.allSettled(
      calls.map((call) => call.waitUntil('not acknowledged yet', ({ ack }) => ack, timing.ackMs)),
    )
    // Nobody has consented yet, so whatever has ended gave way to the other.
    const gaveWay = calls.some((call) => call.hasMessage('tool_result'))
    await eachInTurn(calls, async (call, isFirst) => {
      if (isFirst) await user.approve(call)
      await call.ended()
    })
    await observe()
    if (gaveWay) throw new NotOffered('it ended a call while another one of its user was pending')
  }

const isolatedPair: Judge = (t, context) => {
  const judgement = isolated(2)(t, context)
  return judgement.outcome === 'violation' ? judgement : (lostCall(t, context) ?? judgement)
}

/** Causality: an acknowledgement that comes only when the user has decided has waited for them. */
const acknowledgesBoth: Judge = (t, { timing, control }) => {
  const [decided] = t.steps('decide')
  const calls = callsOf(t).filter(({ ack }) => ack?.type === 'response')
  if (!decided || calls.length < 2)
    return inconclusive('no user decided while two calls were acknowledged')
  const late = calls.find(({ ack }) => isAfter(ack!, decided))
  if (!late) return pass('both before their user decided', cite(...calls.map(({ ack }) => ack)))
  const took = Math.round(late.ack!.t - late.request!.t)
  const evidence = cite(late.request, decided, late.ack)
  const isBusy = ![t, control].some((each) => acknowledgedIn(each, timing.ackMs))
  if (took <= timing.ackMs || isBusy)
    return inconclusive('an acknowledgement came late: is the machine busy?', evidence)
  return violation(
    'the acknowledgement of a call waited for the user, who was asked because of another one: answer first, then work',
    { expected: 'HTTP 200 at once', actual: `an answer after ${took} ms` },
    evidence,
  )
}

const pairChecks = [
  check(
    'rap-oauth/tool/acknowledge-immediately',
    'acknowledges a call whose user is asked already',
    acknowledgesBoth,
  ),
  check('rap-oauth/tool/isolate-concurrent-calls', 'answers each call for itself', isolatedPair),
  check('rap-oauth/tool/single-result', 'completes each call once', completedOnce(callsOf, 2)),
]

const twoCalls = scenario({
  id: 'two-calls-of-one-user',
  title: 'two calls of one user are pending at the same time',
  control,
  needs: callsTogether,
  drive: ofOneUser(async ({ tool, user }) => [
    tool.invoke({ as: user }),
    tool.invoke({ as: user }),
  ]),
  checks: pairChecks,
})

/** Where calls share a URL, a message with the id of none of them is nobody's: that is for echo-id to judge. */
function ofKnownIds({ requirement, title, judge }: (typeof pairChecks)[number]) {
  return check(requirement, title, (t, context) => {
    const calls = callsOf(t)
    const stray = calls
      .flatMap(({ answers }) => answers)
      .find(({ value }) => !calls.some(({ sent }) => sent.id === value['id']))
    if (stray) return inconclusive('a message has the id of no call', citeMessages(stray))
    return judge(t, context)
  })
}

const oneTurn = scenario({
  id: 'two-calls-of-one-turn',
  title:
    'two calls of one turn are pending at the same time, in a thread that has ancestors, with one callback URL',
  control,
  needs: callsTogether,
  drive: ofOneUser(async ({ tool, user }) => {
    const turn = tool.newTurn()
    const first = tool.invoke({ as: user, turn })
    // One after the other, so that it is not chance which of them is the last one, and who is asked because of the first.
    await first.awaitAnswer()
    return [first, tool.invoke({ as: user, turn })]
  }),
  checks: [
    check('rap-oauth/tool/acknowledge-with-200', 'takes each of them', (t) => {
      const calls = callsOf(t)
      const refused = calls.find((call) => wasRefused(call) && !mayBeKeptOut(call))
      if (refused?.ack?.type === 'response') {
        return violation(
          'an invocation was refused, though thread_ancestors may be there and a callback_url may serve several calls',
          { expected: 'HTTP 200', actual: `HTTP ${refused.ack.status}` },
          cite(refused.request, refused.ack),
        )
      }
      const taken = calls.filter(isTaken)
      if (taken.length < 2) return inconclusive(`${taken.length} of 2 calls were taken`)
      return pass('both were taken', cite(...taken.map(({ ack }) => ack)))
    }),
    ...pairChecks.map(ofKnownIds),
  ],
})

const sameId = scenario({
  id: 'same-id-in-two-threads',
  title: 'calls of two users in two threads have the same id',
  control,
  async drive({ tool, user, newUser, observe }) {
    const id = anyName('call')
    const users = [user, newUser('other')] as const
    const calls = users.map((as) => tool.invoke({ as, id }))
    await Promise.all(calls.map((call) => call.answered()))
    for (const [index, call] of calls.entries()) {
      await users[index]!.approve(call)
      await call.settle()
    }
    await observe()
  },
  checks: [
    check('rap-oauth/tool/isolate-concurrent-calls', 'answers each call for itself', isolatedPair),
  ],
})

/** A refusal of anybody's call: it may need headers, or be one too many. */
function mayBeKeptOut({ ack }: CallView): boolean {
  return saysNotNow(ack) || (ack?.type === 'response' && [401, 403].includes(ack.status))
}

const crowd = 20

const manyUsers = scenario({
  id: 'twenty-users-at-once',
  title: 'twenty users call, approve and are answered at the same time',
  control,
  async drive({ tool, newUser, observe }) {
    const users = Array.from({ length: crowd }, (_, index) => newUser(`user-${index + 1}`))
    const called = users.map((user) => ({ user, call: tool.invoke({ as: user }) }))
    const answers = await Promise.all(called.map(({ call }) => call.answered()))
    // A tool may limit how much is asked of it at once; then these calls have ended.
    const pending = called.filter((_, index) => answers[index] === 'asked')
    if (pending.length < 2) throw new Unreached('fewer than two users were asked to authorize')
    await Promise.all(pending.map(({ user, call }) => user.approve(call)))
    await Promise.all(pending.map(({ call }) => call.ended()))
    // Once more: by now a token that was stored for the wrong user serves the wrong user.
    const again = pending.map(({ user }) => tool.invoke({ as: user }))
    await Promise.all(again.map((call) => call.answered()))
    await observe()
  },
  checks: [
    check('rap-oauth/tool/isolate-concurrent-calls', 'mixes nothing up', isolated(crowd)),
    check('rap-oauth/tool/single-result', 'completes each call once', completedOnce(asked, 1)),
  ],
})

/** Calls whose link was opened; the others may not have needed their user. */
function asked(t: Transcript): readonly CallView[] {
  return callsOf(t).filter((call) => call.authorizationRequests.length > 0)
}

function completedOnce(those: (t: Transcript) => readonly CallView[], atLeast: number): Judge {
  return (t, context) => {
    const judgements = those(t).map((call) => singleResult(call.name)(t, context))
    if (judgements.length < atLeast) return inconclusive(`${judgements.length} calls of ${atLeast}`)
    const evidence = judgements.flatMap((judgement) => judgement.evidence)
    return worstOf(judgements) ?? pass(`${judgements.length} calls, one result each`, evidence)
  }
}

/** A call that completes where it is alone completes beside another, too, once its user has consented. */
function lostCall(t: Transcript, { control, declared, timing }: Context): Judgement | undefined {
  if (!control || callOf(control).results.length === 0) return undefined
  const calls = callsOf(t)
  for (const call of calls) {
    const waited = gaveUpAfter(t, call.name)
    if (call.results.length > 0 || waited === undefined || waited < timing.maxWaitMs) continue
    const callback = callbackWith(t, call.name, 'code')
    const isAsked = call.oauth.length > 0
    const due = isAsked ? callback && arrived(t, callback) && callback : call.ack
    if (!due || (!isAsked && (!isTaken(call) || isUserAsked(calls, call)))) continue
    if (mayHaveTimedOut(call, due, declared.pendingTimeoutMs)) continue
    const missing = isAsked ? 'tool_result' : 'message'
    return violation(
      'a call was lost while another one was pending: keep each under its group_id and its id',
      { expected: `a ${missing} for each call`, actual: `no ${missing} within ${waited} ms` },
      cite(call.request, call.ack, isAsked ? callback : undefined),
    )
  }
  return undefined
}

/** Who is asked because of another call may be told of this one, too, once they have consented. */
function isUserAsked(calls: readonly CallView[], { user }: CallView): boolean {
  return calls.some((other) => other.user === user && other.oauth.length > 0)
}

/** Every message on a call's URL is about that call, and its token is that of its user. */
function isolated(expected: number): Judge {
  return (t, context) => {
    const calls = callsOf(t)
    const complete = calls.filter((call) => isServed(calls, call))
    for (const call of calls) {
      const others = calls.filter((other) => other !== call)
      // Ids are unique in their threads (docs/readings.md, 51). One of no call at all is for echo-id and echo-group-id to judge.
      const crossed = call.messages.find(({ value }) =>
        (['id', 'group_id'] as const).some(
          (field) =>
            value[field] !== call.sent[field] &&
            others.some(({ sent }) => value[field] === sent[field]),
        ),
      )
      if (crossed) {
        return violation(
          'a message on the callback URL of one call carries the ids of another',
          {
            expected: show({ id: call.sent.id, group_id: call.sent.group_id }),
            actual: show({ id: crossed.value['id'], group_id: crossed.value['group_id'] }),
          },
          citeMessages(crossed),
        )
      }
      const disturbed =
        foreignSubject(t, call) ??
        (complete.includes(call) ? undefined : refusedCallback(t, call, context))
      if (disturbed) return disturbed
    }
    const excused = calls.filter(
      (call) =>
        !complete.includes(call) && (call.ended.some(isRateLimit) || cameTooLate(t, call, context)),
    )
    const others = expected - excused.length
    if (calls.length < expected || complete.length < Math.max(2, others)) {
      const late = excused.length > 0 ? `; too late, or limited: ${excused.length}` : ''
      return inconclusive(`only ${complete.length} of ${expected} calls completed${late}`)
    }
    return pass(
      `${others} calls, nothing crossed`,
      citeMessages(...calls.flatMap(({ results }) => results)),
    )
  }
}

/** Whether the pending timeout may have been over before the user was back: where few are taken at once, calls take turns. */
function cameTooLate(t: Transcript, call: CallView, { declared }: Context): boolean {
  const callback = callbackWith(t, call.name, 'code')
  const [result] = call.results
  const end = callback ? (t.answer(callback) ?? callback) : result?.event
  return end !== undefined && mayHaveTimedOut(call, end, declared.pendingTimeoutMs)
}

/** The mock's items name their owner, so the result of one user must not name another. */
function foreignSubject(t: Transcript, call: CallView): Judgement | undefined {
  const own = new Set(subjectsOf(handoff, t, call.user ?? ''))
  const foreign = t
    .provider('decision')
    .map(({ detail }) => String(detail['subject']))
    .filter((subject) => !own.has(subject))
  for (const result of call.results) {
    const named = foreign.find((subject) => textOf(result.value).includes(subject))
    if (named && own.size > 0) {
      const difference = { expected: `data of ${show([...own])}`, actual: `data of ${named}` }
      return violation("a call got another user's result", difference, citeMessages(result))
    }
  }
  return undefined
}

/** A genuine callback that was not accepted, so that its call ended with an error, because others were pending. */
function refusedCallback(
  t: Transcript,
  call: CallView,
  { declared, control, timing }: Context,
): Judgement | undefined {
  // Where nothing is ever exchanged, other calls are not the reason.
  if (control && !issuedGrant(callOf(control))) return undefined
  const callback = callbackWith(t, call.name, 'code')
  const answer = callback && t.answer(callback)
  const [result] = call.results
  if (!callback || answer?.type !== 'response' || issuedGrant(call) || !result) return undefined
  if (isAfter(callback, result.event)) return undefined
  if (mayHaveTimedOut(call, answer, declared.pendingTimeoutMs)) return undefined
  // A refusal is a matter of a moment; what takes longer may be a provider that was too slow for the tool.
  if (result.event.t - callback.t > timing.ackMs) return undefined
  return violation(
    'the genuine callback of a call was not accepted while another was pending',
    { expected: 'the code is exchanged and the operation retried', actual: textOf(result.value) },
    [...cite(callback, answer), ...citeMessages(result)],
  )
}

export const concurrencyScenarios = [manyUsers, twoCalls, oneTurn, sameId]
