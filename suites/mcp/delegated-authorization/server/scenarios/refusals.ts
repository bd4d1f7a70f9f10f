import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  worstOf,
  type Judgement,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { answeredCallback } from '../../../../oauth-client/arrival.ts'
import { readsLike } from '../../../../oauth-client/endings.ts'
import { judgesOf } from '../../../../oauth-client/judges.ts'
import {
  mayHaveTimedOut,
  served as isServed,
  tokenAccesses,
} from '../../../../oauth-client/view.ts'
import { clientFrames } from '../../../wire/frames.ts'
import { authRequest } from '../../auth-request.ts'
import { handoff } from '../handoff.ts'
import { callOf, mostAskings, type CallView } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

/** What the client answered first to an `auth/request` of a call. */
function firstAnswer(t: Transcript, call: CallView): Recorded<RequestEvent> | undefined {
  return call.askings
    .flatMap((asking) => answerOf(t, call, asking) ?? [])
    .toSorted((a, b) => a.seq - b.seq)[0]
}

/** What the client answered to that one. */
function answerOf(
  t: Transcript,
  { name }: CallView,
  asking: CallView['askings'][number] | undefined,
): Recorded<RequestEvent> | undefined {
  const id = asking?.frame.message.value['id']
  const frame = clientFrames(t, name).find(
    ({ message }) => (message.kind === 'result' || message.kind === 'error') && message.id === id,
  )
  const event = frame?.event.type === 'request' ? frame.event : undefined
  if (!asking || !event) return undefined
  const taken = t.answer(event)
  return taken?.type === 'response' && taken.status >= 400 ? undefined : event
}

/** The user is asked, refuses, and is asked once more, without end. */
function asksForEver(t: Transcript, call: CallView, what: string): Judgement | undefined {
  const beyond = call.askings[mostAskings]
  const before = answerOf(t, call, call.askings[mostAskings - 1])
  if (!beyond || !before) return undefined
  return violation(
    `the call asks again and again, although the client answered with ${what} every time`,
    {
      expected: `the end of the call, after ${mostAskings} requests at the latest`,
      actual: `${call.askings.length} requests`,
    },
    cite(before, beyond.frame.event),
  )
}

/** The call ends because of the answer, and nothing is redeemed for it. */
const ends =
  (what: string): Judge =>
  (t, { timing, declared, control: twin }) => {
    const call = callOf(t)
    const answer = firstAnswer(t, call)
    if (!answer) return inconclusive(`the server was not answered with ${what}`)
    const [redeemed] = call.grants
    if (redeemed) {
      return violation(
        `the server sent a token request although the client answered with ${what}`,
        { expected: 'no token request', actual: show(redeemed.detail['grantType']) },
        cite(answer, redeemed),
      )
    }
    const forEver = asksForEver(t, call, what)
    if (forEver) return forEver
    // Who asks once more is answered once more, and may have ended the call before that.
    const ended = call.ended.find(({ event }) => isAfter(event, answer))
    const last = ended
      ? call.askings
          .flatMap((asking) => answerOf(t, call, asking) ?? [])
          .findLast((each) => isAfter(ended.event, each))
      : answerOf(t, call, call.askings.at(-1))
    if (!last) return inconclusive('the last request of the call was not answered', cite(answer))
    const used = tokenAccesses(call).find((access) => isAfter(access, answer))
    const end = call.ended.find(({ event }) => isAfter(event, last))
    if (end && used) {
      return violation(
        `the call was served although the client answered with ${what}`,
        { expected: 'a call that failed', actual: end.text },
        cite(answer, used, end.event),
      )
    }
    const served =
      twin && tokenAccesses(callOf(twin)).some(isServed) ? callOf(twin).ended[0] : undefined
    if (end && served && !end.error && readsLike(handoff, end, served)) {
      return violation(
        `the result reads as if the operation had succeeded, although the client answered with ${what}`,
        { expected: 'a call that failed', actual: end.text },
        cite(answer, end.event),
      )
    }
    if (end) {
      const late = mayHaveTimedOut(call, end.event, declared.pendingTimeoutMs)
      if (!late) return pass('the call ended', cite(last, end.event))
      if (end.event.t - last.t > (declared.pendingTimeoutMs ?? Infinity) / 2) {
        return violation(
          `the call ended only when its pending timeout was over, not because of ${what}`,
          { expected: 'an end as soon as it is known', actual: 'an end after the pendingTimeout' },
          cite(last, end.event),
        )
      }
      return inconclusive('the pending timeout may have ended it', cite(last, end.event))
    }
    const waited = gaveUpAfter(t, call.name)
    if (waited === undefined || waited < timing.maxWaitMs)
      return inconclusive('the run did not wait for the end of the call')
    return violation(
      `the call stays pending after the client answered with ${what}`,
      { expected: 'a result or an error', actual: `nothing within ${waited} ms` },
      cite(last),
    )
  }

/** The next call of the same session is answered as the first one was. */
const lives: Judge = (t) => {
  const answer = firstAnswer(t, callOf(t))
  if (!answer) return inconclusive('the server was not answered with an error')
  const { request, asked, ended } = callOf(t, 'call-2')
  if (!request) return inconclusive('there was no other call')
  const next = asked[0]?.event ?? ended[0]?.event
  if (next) return pass('the next call was answered', cite(answer, next))
  const waited = gaveUpAfter(t, 'call-2')
  const gone = t.steps('unanswered', 'call-2')[0]
  if (waited === undefined && !gone) return inconclusive('the run did not wait for the next call')
  return violation(
    'after an error of the client the next call is not answered',
    { expected: 'an auth/request or an end', actual: `nothing within ${waited ?? 0} ms` },
    cite(answer, request, gone),
  )
}

const declined = scenario({
  id: 'declined',
  title: 'the user declines: the client answers with an empty result',
  control,
  async drive({ begin, user, observe }) {
    const call = begin(user)
    await call.refuse(() => call.decline())
    await observe()
  },
  checks: [
    check(
      'mcp-delegated-authorization/server/declined-no-exchange',
      'ends the call, and redeems nothing',
      ends('an empty result'),
    ),
  ],
})

const reportsDenial: Judge = (t, context) =>
  asksForEver(t, callOf(t), 'a denial') ??
  judgesOf(handoff).reportsFailure('the denial', () => answeredCallback(t, 'call-1', 'error'))(
    t,
    context,
  )

const denied = scenario({
  id: 'denied',
  title: 'the user denies at the provider: the client returns a callback with an error',
  control,
  async drive({ begin, user, observe }) {
    const call = begin(user)
    await call.refuse(() => user.deny(call))
    await observe()
  },
  checks: [check('oauth-client/report-denial', 'reports the denial', reportsDenial)],
})

/** A response with an error is one (RFC 6749 §4.1.2.1), whatever stands beside it. */
const believesError: Judge = (t, context) => {
  const call = callOf(t)
  const reached = answeredCallback(t, 'call-1', 'error')
  if (typeof reached === 'string') return inconclusive(reached)
  const [redeemed] = call.grants
  if (redeemed) {
    return violation(
      'the code was redeemed although the callback has an error',
      { expected: 'no token request', actual: show(redeemed.detail['grantType']) },
      [...reached, ...cite(redeemed)],
    )
  }
  return judgesOf(handoff).reportsFailure('the error', () => reached)(t, context)
}

const errorBesideCode = scenario({
  id: 'error-beside-code',
  title: 'the client returns a callback that has an error beside the code',
  control,
  async drive({ begin, user, observe }) {
    const call = begin(user)
    const flow = await user.consent(call)
    await user.follow(flow, user.tampered(flow, { error: 'access_denied' }))
    await call.settle()
    await observe()
  },
  checks: [check('oauth-client/report-denial', 'believes the error', believesError)],
})

/** Codes of clients that do not know the method, or do not do it, one of which JSON-RPC leaves to them (§5.1). */
const codes = [
  [-32601, 'method-not-found'],
  [-32602, 'invalid-params'],
  [-32603, 'internal-error'],
  [-32000, 'own-error'],
] as const

const unsupported = codes.map(([code, name]) =>
  scenario({
    id: `unsupported-${name}`,
    title: `the client has declared it, and answers with the error ${code}`,
    control,
    async drive({ begin, user }) {
      const call = begin(user)
      const message = `${authRequest} is not supported`
      await call.refuse(async () => {
        await call.asked()
        await call.answer({ error: { code, message } })
      })
      const next = begin(user)
      await next.answered()
    },
    checks: [
      check(
        'mcp-delegated-authorization/server/survive-unsupported',
        'ends the call, and answers the next one',
        (t, context) => {
          const judgements = [ends('an error')(t, context), lives(t, context)]
          return worstOf(judgements) ?? pass('both calls were answered', judgements[1]!.evidence)
        },
      ),
    ],
  }),
)

export const refusalScenarios = [declined, denied, errorBesideCode, ...unsupported]
