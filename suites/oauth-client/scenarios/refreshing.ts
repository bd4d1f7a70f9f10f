/** Refreshes that meet: calls of one user at once, and a restart in between. */

import { cite, NotOffered, pass } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { refreshesOf } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { expireToken, movable, ownInstance } from './drives.ts'
import { needsOwnInstance, noRefreshTokens, storedTokens } from './needs.ts'
import { storedTokenJudgesOf } from './stored-token-judges.ts'

const atOnce = 4

export function refreshingScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { storedControl } = handoff
  const { asksNobody, presentsEachOnce } = storedTokenJudgesOf(handoff)
  const together = scenario({
    id: 'refresh-at-once',
    title: `the access token expires, then its user makes ${atOnce} calls at once`,
    control: storedControl,
    notApplicable: noRefreshTokens,
    needs: storedTokens(handoff),
    async drive(given) {
      const fixtures = await movable(given)
      const { begin, user, observe } = fixtures
      await expireToken(fixtures)
      const calls = Array.from({ length: atOnce }, () => begin(user))
      await Promise.all(calls.map((call) => call.answered()))
      await observe()
    },
    checks: [
      check(
        'oauth-client/use-rotated-refresh-token',
        'presents the refresh token once for all of them',
        (t, context) => {
          const refreshes = refreshesOf(t)
          const judgement = presentsEachOnce()(t, context)
          if (refreshes.length !== 1 || judgement.outcome === 'violation') return judgement
          return pass('one refresh was enough for all calls', cite(...refreshes))
        },
      ),
      check('oauth-client/reuse-stored-token', 'asks for no new authorization', asksNobody(atOnce)),
    ],
  })

  const overRestart = scenario({
    id: 'refresh-then-restart',
    title:
      'the access token expires and is refreshed, the client restarts, and the token expires again',
    control: storedControl,
    ownInstance: true,
    notApplicable: (declared) => noRefreshTokens(declared) ?? needsOwnInstance(declared),
    needs: storedTokens(handoff),
    async drive(given) {
      const { offSlot, observe } = given
      const { begin, user, restart } = await ownInstance(given)
      const life = await user.shortLife()
      const first = begin(user)
      const flow = await user.approve(first, {
        access_token_lifetimes: [life, life, 3600],
      })
      await first.ended()
      await offSlot(user.expire(flow, life))
      const second = begin(user)
      if ((await second.answered()) === 'asked') throw new NotOffered('it did not refresh')
      await offSlot(user.expire(flow, life, restart))
      await begin(user).answered()
      await observe()
    },
    checks: [
      check(
        'oauth-client/use-rotated-refresh-token',
        'presents the rotated refresh token after the restart',
        presentsEachOnce(),
      ),
      check('oauth-client/store-durably', 'still has the refreshed token', asksNobody(2)),
    ],
  })

  return [overRestart, together]
}
