/** Refreshes that meet or follow each other: calls at once, a restart in between, a refresh token that stays. */

import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  violation,
} from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check, type Judge } from '../judges.ts'
import { askedTooMuch, citeEvents, firstAnswer, isRateLimit, refreshesOf } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { expireToken, movable, ownInstance } from './drives.ts'
import { needsOwnInstance, noRefreshTokens, storedTokens } from './needs.ts'
import { refreshRedirected } from './redirects.ts'
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

  /** A refresh brings no new refresh token, so the one that was presented stays in use (RFC 6749 §6). */
  const unrotated = scenario({
    id: 'refresh-without-rotation',
    title: 'the access token expires twice, and the provider replaces no refresh token',
    control: storedControl,
    notApplicable: noRefreshTokens,
    needs: storedTokens(handoff),
    async drive(given) {
      const { begin, user, offSlot } = await movable(given)
      const life = await user.shortLife()
      const first = begin(user)
      const flow = await user.approve(first, { access_token_lifetimes: [life, life, 3600] })
      await first.ended()
      user.setFaults(flow, ['refresh-without-rotation'])
      for (let expiry = 0; expiry < 2; expiry += 1) {
        await offSlot(user.expire(flow, life))
        await begin(user).answered()
      }
    },
    checks: [
      check(
        'oauth-client/refresh-expired-token',
        'refreshes again with a refresh token that was not replaced',
        refreshesTwice(handoff),
      ),
    ],
  })

  return [overRestart, unrotated, together, refreshRedirected(handoff)]
}

function refreshesTwice({ callOf, words }: Handoff): Judge {
  return (t) => {
    const [once, again] = refreshesOf(t).filter(({ detail }) => detail['outcome'] === 'issued')
    const third = callOf(t, 'call-3')
    const answer = firstAnswer(third)
    if (!once || !third.request || !isAfter(third.request, once))
      return inconclusive('the first expiry was not refreshed')
    if (again) return pass('refreshed twice', cite(once, again))
    if (!answer) return inconclusive('the call after the second expiry got no answer', cite(once))
    const isEnd = 'text' in answer
    if (isEnd && isRateLimit(answer)) return inconclusive(askedTooMuch, citeEvents(answer))
    return violation(
      'a refresh token that the provider did not replace was forgotten: without a new one, the old one stays valid',
      {
        expected: 'a second refresh with the same token',
        actual: isEnd ? `${words.ended}: ${answer.text}` : words.asked,
      },
      [...cite(once, third.request), ...citeEvents(answer)],
    )
  }
}
