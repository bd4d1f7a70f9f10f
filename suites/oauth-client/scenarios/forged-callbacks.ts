/** Callbacks that were altered, invented, mixed up or sent again (RFC 9700 §4.5, §4.7). */

import { randomBytes } from 'node:crypto'
import { cite, inconclusive, NotOffered, pass, violation } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import type { Flow } from '../user.ts'
import { citeEvents, issuedGrant, mayHaveTimedOut, upstreamAt } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { forgeryJudgesOf, forgeryReached, forgeryWindow } from './forgery.ts'
import { flowPerCall } from './needs.ts'

/** Another state of the same shape: one character is exchanged, not the last, of which some bits may not count. */
function altered(flow: Flow, share = 1 / 2): string {
  const state = new URL(flow.redirect).searchParams.get('state') ?? ''
  const at = Math.floor(state.length * share)
  return state.slice(0, at) + (state[at] === 'a' ? 'b' : 'a') + state.slice(at + 1)
}

/** States that the client never issued, delivered with a genuine code while the genuine flow is pending. */
const badStates = [
  ['state-missing', 'without state', () => undefined],
  ['state-empty', 'with an empty state', () => ''],
  ['state-altered', 'with one character of state altered', (flow: Flow) => altered(flow)],
  [
    'state-altered-late',
    'with a character in the last quarter of state altered',
    (flow: Flow) => altered(flow, 4 / 5),
  ],
  [
    'state-unknown',
    'with a state that the client never issued',
    () => randomBytes(24).toString('base64url'),
  ],
] as const

export function forgedCallbackScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, endsOnce, callOf } = handoff
  const { noTokenRequest, completesNothing, keepsCall } = forgeryJudgesOf(handoff)
  const states = badStates.map(([id, title, state]) =>
    scenario({
      id,
      title: `a callback ${title}, then the genuine one`,
      control,
      async drive({ begin, user, observeWhilePending, mark }) {
        const call = begin(user)
        const flow = await user.consent(call)
        mark('forged')
        await user.follow(flow, user.tampered(flow, { state: state(flow) }))
        await observeWhilePending()
        mark('genuine')
        await user.follow(flow)
        await call.ended()
      },
      checks: [
        check('oauth-client/validate-state', `refuses a callback ${title}`, noTokenRequest()),
        check('oauth-client/ignore-forged-callback', 'completes nothing', completesNothing()),
        check('oauth-client/forged-callback-keeps-call', 'keeps the call pending', keepsCall()),
      ],
    }),
  )

  /**
   * Errors that the provider never sent. A client that reports a mismatch of state as a failed flow does so for forged
   * codes too, as the control shows; one that ends the call only here has believed the error.
   */
  const forgedErrors = badStates.map(([id, title, state]) =>
    scenario({
      id: `error-with-${id}`,
      title: `a callback that denies, ${title}, then the genuine one`,
      control: id,
      async drive({ begin, user, observeWhilePending, mark }) {
        const call = begin(user)
        const flow = await user.consent(call)
        mark('forged')
        const denial = { error: 'access_denied', code: undefined, iss: undefined }
        await user.follow(flow, user.tampered(flow, { ...denial, state: state(flow) }))
        await observeWhilePending()
        mark('genuine')
        await user.follow(flow)
        await call.ended()
      },
      checks: [
        check('oauth-client/validate-state', `refuses an error ${title}`, (t, context) => {
          const { control, declared } = context
          const call = callOf(t)
          const reached = forgeryReached(t)
          if (typeof reached === 'string') return inconclusive(reached)
          const ended = call.ended.find((message) => forgeryWindow(t).inside(message.event))
          if (!ended) return pass('the call stayed pending', reached)
          const usual =
            control &&
            callOf(control).ended.some(({ event }) => forgeryWindow(control).inside(event))
          if (usual) return pass('it reports any mismatch of state as a failed flow', reached)
          if (mayHaveTimedOut(call, ended.event, declared.pendingTimeoutMs))
            return inconclusive('the declared pendingTimeout may have ended the call', reached)
          return violation(
            'a forged error was believed: it ended the call',
            {
              expected: 'no end of the call: the state is not that of the flow',
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
    async drive({ begin, user, observeWhilePending, mark }) {
      const call = begin(user)
      const flow = await user.consent(call)
      mark('forged')
      await user.follow(flow, user.tampered(flow, { code: undefined, iss: undefined }))
      await observeWhilePending()
      mark('genuine')
      await user.follow(flow)
      await call.ended()
    },
    checks: [check('oauth-client/ignore-forged-callback', 'completes nothing', completesNothing())],
  })

  const replayed = scenario({
    id: 'callback-replayed',
    title: 'the callback of a completed flow once more',
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
      check('oauth-client/state-single-use', 'ignores the replay', noTokenRequest()),
      ...endsOnce('sends no second result'),
    ],
  })

  const failedState = scenario({
    id: 'state-of-failed-exchange',
    title: 'the callback of a flow whose exchange failed once more, when the provider works again',
    control,
    async drive({ begin, user, observe, mark }) {
      const call = begin(user)
      const flow = await user.approve(call, { faults: ['token-error-500'] })
      await call.settle()
      user.setFaults(flow, [])
      mark('forged')
      await user.follow(flow)
      await observe()
    },
    checks: [
      check('oauth-client/state-single-use', 'the state was used by the failure', (t, context) =>
        upstreamAt(callOf(t), '/token').length === 0
          ? inconclusive('no token request was made that could fail')
          : noTokenRequest()(t, context),
      ),
      ...endsOnce('sends no second result'),
    ],
  })

  const usedState = scenario({
    id: 'used-state-with-fresh-code',
    title: "a used state with the code of another user's flow",
    control,
    async drive({ begin, user, newUser, observe, mark }) {
      const attacker = newUser('attacker')
      const call = begin(attacker)
      const fresh = await attacker.consent(call)
      const victims = begin(user)
      const used = await user.approve(victims)
      await victims.ended()
      mark('forged')
      const state = new URL(used.redirect).searchParams.get('state') ?? ''
      await attacker.follow(fresh, attacker.tampered(fresh, { state }))
      await observe()
    },
    checks: [
      check('oauth-client/state-single-use', 'refuses the used state', noTokenRequest()),
      ...endsOnce('sends no second result', 'call-2'),
    ],
  })

  const deniedState = scenario({
    id: 'denied-state-with-code',
    title: "the state of a denied flow with the code of another user's flow",
    control,
    async drive({ begin, user, newUser, observe, mark }) {
      const attacker = newUser('attacker')
      const fresh = await attacker.consent(begin(attacker))
      const victims = begin(user)
      const denied = await user.deny(victims)
      // Whether the denial is reported is for denied-consent to judge; the state is used in any case.
      await victims.settle()
      mark('forged')
      const state = new URL(denied.redirect).searchParams.get('state') ?? ''
      await attacker.follow(fresh, attacker.tampered(fresh, { state }))
      await observe()
    },
    checks: [
      check('oauth-client/state-single-use', 'refuses the used state', noTokenRequest()),
      ...endsOnce('sends no second result', 'call-2'),
    ],
  })

  /**
   * Both states are pending, and nothing binds the browser to either flow, so a client may try to redeem the code;
   * what counts is that no token comes of it (docs/decisions: what a foreign state can prove).
   */
  const crossing = (id: string, title: string, sameUser: boolean): ClientScenario => {
    return scenario({
      id,
      title,
      control,
      ...(sameUser ? { needs: flowPerCall(handoff) } : {}),
      async drive({ begin, user, newUser, observe, mark }) {
        const other = sameUser ? user : newUser('attacker')
        const [victims, attackers] = [begin(user), begin(other)]
        const urls = await Promise.all([victims.asked(), attackers.asked()])
        if (urls[0] === urls[1]) throw new NotOffered('it has one flow for both calls')
        const own = await user.consent(victims)
        const foreign = await other.consent(attackers)
        mark('forged')
        const state = new URL(own.redirect).searchParams.get('state') ?? ''
        await other.follow(foreign, other.tampered(foreign, { state }))
        await observe()
      },
      checks: [
        check(
          'oauth-client/code-bound-to-flow',
          'gets no token for a code of another flow',
          (t) => {
            const [own, foreign] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
            const reached = forgeryReached(t)
            if (typeof reached === 'string') return inconclusive(reached)
            const states = [own, foreign].map(
              (call) => call.authorizationRequests[0]?.detail['state'],
            )
            if (states[0] === states[1])
              return inconclusive('both flows have the same state, or none')
            const redeemed = issuedGrant(foreign)
            if (!redeemed)
              return pass('the code was not redeemed', [...reached, ...cite(...foreign.grants)])
            // Bound it was; that its state was not compared is for validate-state to judge.
            if (foreign.ended.length > 0 && own.ended.length === 0)
              return pass('the code was redeemed in its own flow', [...reached, ...cite(redeemed)])
            return violation(
              'a code was redeemed in a flow that it does not belong to: bind it with PKCE',
              {
                expected: 'no token (the verifier of the flow does not match the code)',
                actual: 'tokens were issued',
              },
              [...reached, ...cite(redeemed)],
            )
          },
        ),
      ],
    })
  }

  const twice = scenario({
    id: 'two-callbacks-at-once',
    title: 'the browser delivers the callback twice at the same time',
    control,
    async drive({ begin, user, observe }) {
      const call = begin(user)
      const flow = await user.consent(call)
      await Promise.all([user.follow(flow), user.follow(flow)])
      await call.ended()
      await observe()
    },
    checks: [
      check('oauth-client/code-used-once', 'presents the code once', (t) => {
        const call = callOf(t)
        const callbacks = t.requests('browser').filter((request) => request.url.includes('code='))
        if (callbacks.length < 2) return inconclusive('the callback was not delivered twice')
        const grants = call.grants.filter(
          (grant) => grant.detail['grantType'] === 'authorization_code',
        )
        if (grants.length === 0)
          return inconclusive('the code was not presented at all', cite(...callbacks))
        if (grants.length === 1) return pass('one token request', cite(...callbacks, ...grants))
        const difference = { expected: 'one token request', actual: `${grants.length}` }
        return violation(
          'two callbacks redeem the same code twice',
          difference,
          cite(...callbacks, ...grants),
        )
      }),
      ...endsOnce('sends one result'),
    ],
  })
  return [
    ...states,
    ...forgedErrors,
    empty,
    replayed,
    failedState,
    usedState,
    deniedState,
    crossing(
      'state-of-another-flow',
      'the code of one flow with the state of another, both of one user',
      true,
    ),
    crossing('state-of-another-user', "an attacker's code with the state of another user", false),
    twice,
  ]
}
