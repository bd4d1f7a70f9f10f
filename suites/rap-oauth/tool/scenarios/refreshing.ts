/** Refreshes that meet: calls of one user at once, and a restart in between. */

import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../checks.ts'
import { callsOf, citeMessages, served, tokenAccesses } from '../view.ts'
import { scenario } from './define.ts'
import { needsOwnInstance, storedTokens } from './needs.ts'
import { noRefreshTokens, presentsEachOnce, refreshesOf, shortLife } from './tokens.ts'

const control = 'stored-token'

const atOnce = 4

const together = scenario({
  id: 'refresh-at-once',
  title: `the access token expires, then its user makes ${atOnce} calls at once`,
  control,
  notApplicable: noRefreshTokens,
  needs: storedTokens,
  async drive({ tool, user, observe, offSlot }) {
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first, { access_token_lifetimes: [shortLife, 3600] })
    await first.awaitResult()
    await offSlot(user.expire(flow, shortLife))
    const calls = Array.from({ length: atOnce }, () => tool.invoke({ as: user }))
    await Promise.all(calls.map((call) => call.awaitMessage()))
    await observe()
  },
  checks: [
    check(
      'rap-oauth/tool/use-rotated-refresh-token',
      'presents the refresh token once for all of them',
      (t, context) => {
        const refreshes = refreshesOf(t)
        const judgement = presentsEachOnce()(t, context)
        if (refreshes.length !== 1 || judgement.outcome === 'violation') return judgement
        return pass('one refresh served all calls', cite(...refreshes))
      },
    ),
    check('rap-oauth/tool/reuse-stored-token', 'asks for no new authorization', asksNobody(atOnce)),
  ],
})

const overRestart = scenario({
  id: 'refresh-then-restart',
  title:
    'the access token expires and is refreshed, the tool restarts, and the token expires again',
  control,
  ownInstance: true,
  notApplicable: (declared) => noRefreshTokens(declared) ?? needsOwnInstance(declared),
  needs: storedTokens,
  async drive({ ownInstance, offSlot, observe }) {
    const { tool, user } = await ownInstance()
    const first = tool.invoke({ as: user })
    const flow = await user.approve(first, { access_token_lifetimes: [shortLife, shortLife, 3600] })
    await first.awaitResult()
    await offSlot(user.expire(flow, shortLife))
    const second = tool.invoke({ as: user })
    const message = await second.awaitMessage()
    if (message.type === 'oauth') throw new NotOffered('it did not refresh')
    await tool.restart()
    await offSlot(user.expire(flow, shortLife))
    await tool.invoke({ as: user }).awaitMessage()
    await observe()
  },
  checks: [
    check(
      'rap-oauth/tool/use-rotated-refresh-token',
      'presents the rotated refresh token after the restart',
      presentsEachOnce(),
    ),
    check('rap-oauth/tool/store-durably', 'still has the refreshed token', asksNobody(2)),
  ],
})

/** Every later call of the user is served without an oauth message. */
function asksNobody(count: number): Judge {
  return (t) => {
    const [first, ...later] = callsOf(t)
    if (!first || !tokenAccesses(first).some(served))
      return inconclusive('the first call was not served with a token')
    const answered = later.filter(({ answers }) => answers.length > 0)
    const asked = answered.find(({ oauth }) => oauth.length > 0)
    if (asked) {
      return violation(
        'a user who has authorized was asked again',
        { expected: 'a refresh, then a tool_result', actual: 'an oauth message' },
        [...cite(asked.request, ...refreshesOf(t)), ...citeMessages(asked.oauth[0])],
      )
    }
    if (answered.length < count)
      return inconclusive(`${answered.length} of ${count} calls were answered`)
    if (refreshesOf(t).length === 0) return inconclusive('nothing was refreshed')
    return pass(`${count} calls without a question`, cite(...refreshesOf(t)))
  }
}

export const refreshingScenarios = [overRestart, together]
