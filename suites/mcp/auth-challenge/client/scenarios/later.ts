/** Challenges that are not the first thing that happens to a client. */

import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  Unreached,
  watched,
} from '../../../../../harness/engine/index.ts'
import { forgeryJudgesOf, forgeryWindow } from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { asksForFurtherScope, followsLater } from '../judges/following.ts'
import { furtherScope } from '../vocabulary.ts'
import { check } from '../judges/judge.ts'
import {
  endsByDenial,
  isBounded,
  keepsToken,
  mostRefusals,
  retriesBoth,
  shownAfterRefusal,
} from '../judges/retrying.ts'
import type { Fixtures, Opened } from '../test-bed.ts'
import { control, scenario } from './define.ts'
import { unlessWithoutState, type SharedCheck } from './without-state.ts'

/** A client of which a call was served, with a token that its user has consented to. */
async function servedClient({ open, user }: Fixtures): Promise<Opened> {
  const client = open(user)
  const first = client.begin()
  await user.approve(first)
  await first.served()
  return client
}

const { refusesUsed } = forgeryJudgesOf(handoff)

/** A listener that has gone is led to nothing; one that answers has to be watched. */
const refusesUsedState: SharedCheck['judge'] = (t, context) => {
  const { forged, answer } = forgeryWindow(t)
  if (answer?.type === 'failure' && answer.code !== 'timeout')
    return pass('nobody listens for it any more', cite(forged, answer))
  const judged = refusesUsed(t, context)
  return judged.outcome === 'pass' && watched(t) === undefined
    ? inconclusive('the run did not watch what happens next')
    : judged
}

export const laterScenarios = [
  scenario({
    id: 'later-challenge',
    title: 'a call is served without a token, and the next one is challenged',
    control,
    async drive({ open, user }) {
      const client = open(user, { rules: { serves: 'all' } })
      const first = client.begin()
      await first.served()
      for (const server of await client.servers()) server.follow({ serves: 'tokens' })
      const second = client.begin()
      await user.approve(second)
      await second.served()
    },
    checks: [
      check(
        'mcp-auth-challenge/client/follow-chain',
        'follows a challenge in a session that has begun',
        followsLater('call-2'),
      ),
    ],
  }),
  scenario({
    id: 'second-call',
    title: 'a call is served with the token, and its user calls again',
    control,
    async drive(fixtures) {
      const client = await servedClient(fixtures)
      for (const server of await client.servers()) server.follow({ pings: true })
      await client.begin().served()
    },
    checks: [
      check(
        'mcp-auth-challenge/client/token-in-later-calls',
        'sends the token with the next call, and with everything else',
        keepsToken,
      ),
    ],
  }),
  scenario({
    id: 'two-calls',
    title: 'while its user signs in for one call, another one of the same server is challenged',
    control,
    needs: { what: 'a second call while its user signs in', seen: () => undefined },
    async drive({ open, user, observe }) {
      const client = open(user)
      const first = client.begin()
      if (!(await first.opens())) throw new Unreached('the challenge led to no flow')
      const second = client.begin()
      if (!(await second.refused(1))) throw new NotOffered('it takes one call at a time')
      await user.approve(first)
      // One sign-in may serve both, or each has its own.
      if ((await second.answered()) === 'asked') await user.approve(second)
      await second.served()
      await first.served()
      await observe()
    },
    checks: [
      check('mcp-auth-challenge/client/retry-with-token', 'makes both calls again', retriesBoth),
    ],
  }),
  scenario({
    id: 'used-state-with-other-code',
    title:
      'a call was served, and the browser comes back with its state once more, and another code',
    control,
    async drive({ open, user, mark, forgedCode, observe }) {
      const call = open(user).begin()
      const flow = await user.approve(call)
      await call.served()
      mark('forged')
      await user.follow(flow, user.tampered(flow, { code: forgedCode(call) }))
      await observe()
    },
    checks: [
      unlessWithoutState({
        requirement: 'oauth-client/state-single-use',
        title: 'redeems no code with it',
        judge: refusesUsedState,
      }),
    ],
  }),
  scenario({
    id: 'token-refused-later',
    title: 'a call is served with the token, and at the next one the server wants a new one',
    control,
    async drive(fixtures) {
      const client = await servedClient(fixtures)
      for (const server of await client.servers()) server.expire()
      const second = client.begin()
      await second.waitUntil('neither a page nor a result came', ({ opened, served }) => {
        return opened[0] ?? served[0]
      })
      // Who has a refresh token need not ask.
      if (second.view().served.length === 0) await fixtures.user.approve(second)
      await second.served()
    },
    checks: [
      check(
        'mcp-auth-challenge/client/follow-chain',
        'follows a second challenge',
        followsLater('call-2'),
      ),
    ],
  }),
  scenario({
    id: 'more-scope',
    title: 'a call is served with the token, and the next one needs another scope',
    control,
    async drive(fixtures) {
      const client = await servedClient(fixtures)
      for (const server of await client.servers()) {
        server.expire()
        server.follow({ scope: furtherScope, tokenError: 'insufficient_scope' })
      }
      const second = client.begin()
      await fixtures.user.approve(second)
      await second.served()
    },
    checks: [
      check(
        'oauth-client/request-scopes',
        'requests the scope that a later challenge names',
        asksForFurtherScope,
      ),
    ],
  }),
  scenario({
    id: 'for-ever',
    title: 'every token is refused, and the call challenged again and again',
    control,
    async drive({ open, user, observe }) {
      const call = open(user, { rules: { serves: 'nobody' } }).begin()
      let refusals = 1
      for (let flow = 0; flow <= mostRefusals; flow += 1) {
        if (flow > 0 && !(await call.reopened())) break
        await user.approve(call)
        if (!(await call.refused(refusals + 1))) break
        refusals += 1
      }
      // Who is silent may be about to go on.
      if (refusals <= mostRefusals) await call.shown(shownAfterRefusal)
      await observe()
    },
    checks: [check('mcp-auth-challenge/client/bounded', 'gives up after a few times', isBounded)],
  }),
  scenario({
    id: 'denied',
    title: 'its user denies',
    control,
    async drive({ open, user, observe, mark }) {
      const call = open(user).begin()
      const flow = await user.consent(call, { action: 'deny' })
      mark('denied')
      await user.follow(flow)
      await call.reopened()
      await observe()
    },
    checks: [
      check(
        'mcp-auth-challenge/client/denied',
        'retries nothing, and tells its user',
        endsByDenial,
      ),
    ],
  }),
]
