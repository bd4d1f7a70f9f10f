/** Callbacks that were altered or invented (RFC 9700 §4.7). */

import { randomBytes } from 'node:crypto'
import {
  gaveUpAfter,
  inconclusive,
  pass,
  violation,
  type Evidence,
  type Judgement,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check, type Context } from '../judges.ts'
import { alteredState, extendedState, stateIn, stateInOtherCase } from '../other-states.ts'
import { citeEvents, mayHaveTimedOut } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { forgeFirst, unlessUnreached } from './drives.ts'
import { flowEndedByForgery, forgeryJudgesOf, forgeryReached, forgeryWindow } from './forgery.ts'

/** States that the client never issued, delivered with a genuine code while the genuine flow is pending. */
export const badStates: readonly BadState[] = [
  ['state-missing', 'without state', () => undefined],
  ['state-empty', 'with an empty state', () => ''],
  ['state-altered', 'with one character of state altered', alteredState],
  [
    'state-altered-late',
    'with a character in the last quarter of state altered',
    (state) => alteredState(state, 4 / 5),
  ],
  [
    'state-unknown',
    'with a state that the client never issued',
    () => randomBytes(24).toString('base64url'),
  ],
]

/** Where those are delivered whole, which only a code shows. */
const likeTheRightOne: readonly BadState[] = [
  ['state-extended', 'with extra text after the right state', extendedState],
  ['state-other-case', 'with upper and lower case of state swapped', stateInOtherCase],
]

type BadState = readonly [id: string, title: string, of: (state: string) => string | undefined]

/** Callbacks with such states. */
export function forgedStateScenarios(
  handoff: Handoff,
  states: readonly BadState[],
): readonly ClientScenario[] {
  const { control } = handoff
  const { noTokenRequest, completesNothing, keepsCall } = forgeryJudgesOf(handoff)
  return states.map(([id, title, state]) =>
    scenario({
      id,
      title: `a callback ${title}, then the genuine one`,
      control,
      async drive(fixtures) {
        const { begin, user } = fixtures
        const call = begin(user)
        const flow = await user.consent(call)
        await forgeFirst(fixtures, flow, { state: state(stateIn(flow.redirect)) })
        // Whether the genuine one still ends the call is for a check to say.
        await call.ended().catch(unlessUnreached)
      },
      checks: [
        check('oauth-client/validate-state', `refuses a callback ${title}`, noTokenRequest()),
        check('oauth-client/ignore-forged-callback', 'completes nothing', completesNothing()),
        check('oauth-client/forged-callback-keeps-call', 'keeps the call pending', keepsCall()),
      ],
    }),
  )
}

export function forgedCallbackScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, callOf } = handoff
  const { completesNothing, keepsCall, completedAfter } = forgeryJudgesOf(handoff)
  const states = forgedStateScenarios(handoff, [...badStates, ...likeTheRightOne])

  /** Where a forged code ends the flow as well, unredeemed, an error that does was not believed for what it says. */
  const endsLikeTwin = (
    t: Transcript,
    twin: Transcript,
    reached: readonly Evidence[],
  ): Judgement => {
    const isRedeemed = [t, twin].some((each) => callOf(each).grants.length > 0)
    const isOver = gaveUpAfter(twin, callOf(twin).name) === undefined
    return isOver || (!isRedeemed && flowEndedByForgery(twin))
      ? pass('every forged callback ends its flow, and no token request follows', reached)
      : inconclusive(
          'after a forged code the genuine one is not taken either, and nothing shows why',
          reached,
        )
  }

  /** Nothing was said of an end: where the twin still takes the genuine callback, so must this flow. */
  const staysPending = (
    t: Transcript,
    context: Context,
    reached: readonly Evidence[],
  ): Judgement => {
    const { control: twin } = context
    if (twin === undefined || completedAfter(t)) return pass('the call stayed pending', reached)
    if (!completedAfter(twin)) return endsLikeTwin(t, twin, reached)
    const later = keepsCall()(t, context)
    if (later.outcome !== 'violation') return pass('the call stayed pending', later.evidence)
    return violation(
      'a forged error ended the flow: the genuine callback is not taken any more',
      {
        expected: 'the error is ignored, because its state is not that of the flow',
        actual: 'no tokens were issued',
      },
      reached,
    )
  }

  /**
   * Errors that the provider never sent. A client that reports a mismatch of state as a failed flow does so for forged
   * codes too, as the control shows; one that ends the call only here has believed the error.
   */
  const forgedErrors = badStates.map(([id, title, state]) =>
    scenario({
      id: `error-with-${id}`,
      title: `a callback that denies, ${title}, then the genuine one`,
      control: id,
      async drive(fixtures) {
        const { begin, user } = fixtures
        const call = begin(user)
        const flow = await user.consent(call)
        const denial = { error: 'access_denied', code: undefined, iss: undefined }
        await forgeFirst(fixtures, flow, { ...denial, state: state(stateIn(flow.redirect)) })
        await call.ended()
      },
      checks: [
        check('oauth-client/validate-state', `refuses an error ${title}`, (t, context) => {
          const { control, declared } = context
          const call = callOf(t)
          const reached = forgeryReached(t)
          if (typeof reached === 'string') return inconclusive(reached)
          const ended = call.ended.find((message) => forgeryWindow(t).inside(message.event))
          if (!ended) return staysPending(t, context, reached)
          const usual =
            control &&
            callOf(control).ended.some(({ event }) => forgeryWindow(control).inside(event))
          if (usual) return pass('it reports every wrong state as a failed flow', reached)
          if (mayHaveTimedOut(call, ended.event, declared.pendingTimeoutMs))
            return inconclusive('the declared pendingTimeout may have ended the call', reached)
          return violation(
            'a forged error ended the call',
            {
              expected: 'the call stays pending, because the state is not that of the flow',
              actual: ended.text,
            },
            [...reached, ...citeEvents(ended)],
          )
        }),
      ],
    }),
  )

  const empty = scenario({
    id: 'callback-without-code-and-error',
    title: 'a callback with the right state, but neither code nor error, then the genuine one',
    control,
    async drive(fixtures) {
      const { begin, user } = fixtures
      const call = begin(user)
      const flow = await user.consent(call)
      await forgeFirst(fixtures, flow, { code: undefined, iss: undefined })
      await call.ended()
    },
    checks: [check('oauth-client/ignore-forged-callback', 'completes nothing', completesNothing())],
  })

  return [...states, ...forgedErrors, empty]
}
