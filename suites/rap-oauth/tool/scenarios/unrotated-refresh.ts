/** A refresh brings no new refresh token, so the one that was presented stays in use (RFC 6749 §6). */

import { cite, inconclusive, isAfter, pass, violation } from '../../../../harness/engine/index.ts'
import { noRefreshTokens, storedTokens } from '../../../oauth-client/scenarios/needs.ts'
import { isRateLimit, refreshesOf } from '../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { callOf, citeMessages } from '../view.ts'
import { scenario } from './define.ts'

export const unrotatedRefresh = scenario({
  id: 'refresh-without-rotation',
  title: 'the access token expires twice, and the provider replaces no refresh token',
  control: 'stored-token',
  notApplicable: noRefreshTokens,
  needs: storedTokens(handoff),
  async drive(given) {
    const { tool, user, offSlot } = await given.movable()
    const life = await user.shortLife()
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first, { access_token_lifetimes: [life, life, 3600] })
    await first.ended()
    user.setFaults(flow, ['refresh-without-rotation'])
    for (let expiry = 0; expiry < 2; expiry += 1) {
      await offSlot(user.expire(flow, life))
      await tool.invoke({ as: user }).answered()
    }
  },
  checks: [
    check(
      'oauth-client/refresh-expired-token',
      'refreshes again with a refresh token that was not replaced',
      refreshesTwice(),
    ),
  ],
})

function refreshesTwice(): Judge {
  return (t) => {
    const [once, again] = refreshesOf(t).filter(({ detail }) => detail['outcome'] === 'issued')
    const third = callOf(t, 'call-3')
    const [answer] = third.answers
    if (!once || !third.request || !isAfter(third.request, once))
      return inconclusive('the first expiry was not refreshed')
    if (again) return pass('refreshed twice', cite(once, again))
    if (!answer) return inconclusive('the call after the second expiry got no answer', cite(once))
    if (third.ended[0] && isRateLimit(third.ended[0]))
      return inconclusive('the tool reports that it is overloaded', citeMessages(answer))
    return violation(
      'a refresh token that the provider did not replace was forgotten: without a new one, the old one stays valid',
      { expected: 'a second refresh with the same token', actual: String(answer.type) },
      [...cite(once, third.request), ...citeMessages(answer)],
    )
  }
}
