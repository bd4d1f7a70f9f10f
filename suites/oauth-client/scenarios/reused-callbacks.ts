/** Callbacks that were sent again, or mixed up with those of other flows (RFC 9700 §4.5, §4.7). */

import { cite, inconclusive, pass, violation, watched } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { stateIn } from '../other-states.ts'
import { codeGrants, issuedGrant, presentedAgain, upstreamAt } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { eachAsked } from './drives.ts'
import { forgeryJudgesOf, forgeryReached } from './forgery.ts'
import { flowPerCall } from './needs.ts'

export function reusedCallbackScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, endsOnce, callOf } = handoff
  const { refusesUsed } = forgeryJudgesOf(handoff)

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
      check('oauth-client/state-single-use', 'ignores the replay', refusesUsed),
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
      // Who opens the state again once the failure has been handed over may have been about to.
      await user.follow(flow)
      await observe()
    },
    checks: [
      check('oauth-client/state-single-use', 'the state was used by the failure', (t, context) =>
        upstreamAt(callOf(t), '/token').length === 0
          ? inconclusive('no token request was made that could fail')
          : refusesUsed(t, context),
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
      const state = stateIn(used.redirect)
      const forged = attacker.tampered(fresh, { state })
      await attacker.follow(fresh, forged)
      await user.follow({ ...fresh, call: victims }, forged)
      await observe()
    },
    checks: [
      check('oauth-client/state-single-use', 'refuses the used state', refusesUsed),
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
      const state = stateIn(denied.redirect)
      const forged = attacker.tampered(fresh, { state })
      await attacker.follow(fresh, forged)
      // A client may know the browser by a cookie, or the call that is answered: then only its owner's can be led there.
      await user.follow({ ...fresh, call: victims }, forged)
      await observe()
    },
    checks: [
      check('oauth-client/state-single-use', 'refuses the used state', refusesUsed),
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
        if (sameUser) await eachAsked(victims, attackers)
        else await Promise.all([victims.asked(), attackers.asked()])
        const own = await user.consent(victims)
        const foreign = await other.consent(attackers)
        mark('forged')
        const state = stateIn(own.redirect)
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
            if (watched(t) === undefined)
              return inconclusive(
                'the run did not watch in which flow the code was redeemed',
                reached,
              )
            return violation(
              'a code was redeemed in a flow that it does not belong to: bind each code to its flow with PKCE',
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
        const grants = codeGrants(call)
        if (grants.length === 0)
          return inconclusive('the code was not presented at all', cite(...callbacks))
        if (!presentedAgain(grants)) return pass('once', cite(...callbacks, ...grants))
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
