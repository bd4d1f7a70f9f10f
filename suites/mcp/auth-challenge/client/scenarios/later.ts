/** Challenges that are not the first thing that happens to a client. */

import { asksForFurtherScope, followsLater } from '../judges/following.ts'
import { furtherScope } from '../vocabulary.ts'
import { check } from '../judges/judge.ts'
import { endsByDenial, isBounded, keepsToken, mostRefusals } from '../judges/retrying.ts'
import type { Fixtures, Opened } from '../test-bed.ts'
import { control, scenario } from './define.ts'

/** A client of which a call was served, with a token that its user has consented to. */
async function servedClient({ open, user }: Fixtures): Promise<Opened> {
  const client = open(user)
  const first = client.begin()
  await user.approve(first)
  await first.served()
  return client
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
