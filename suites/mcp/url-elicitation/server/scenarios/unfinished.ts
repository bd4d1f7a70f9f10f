import { cite } from '../../../../../harness/engine/index.ts'
import { answeredCallback, callbackWith } from '../../../../oauth-client/arrival.ts'
import { judgesOf } from '../../../../oauth-client/judges.ts'
import { isUrlMode } from '../../elicitation.ts'
import { answeredWith, check, citeAskings, notDoneByAccepting, unlessModern } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { completedAfterReturn } from './completion.ts'
import { callOf } from '../view.ts'
import { needsModern, ofOauthClients } from '../conditions.ts'
import { control, scenario } from './define.ts'
import { modernRevision } from './modern.ts'

const { reportsFailure } = judgesOf(handoff)

/** Proof that the client agreed to open the URL, where there is a way to say so. */
const agreed = (t: Parameters<typeof callOf>[0]) => {
  const asking = callOf(t).askings.find(isUrlMode)
  if (!asking) return 'nothing was asked'
  if (asking.how === 'error') return citeAskings(asking)
  const accepted = answeredWith(t, 'call-1', 'accept')
  return accepted
    ? [...citeAskings(asking), ...cite(accepted)]
    : 'the server was not answered with accept'
}

const acceptOnly = scenario({
  id: 'accept-only',
  title: 'the client agrees, and nobody opens the URL',
  control,
  async drive({ begin, user, observeWhilePending }) {
    const call = begin(user)
    await call.awaitUrl()
    await call.answer('accept')
    await call.retry()
    await observeWhilePending()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/accept-is-not-done',
      'does not take consent for completion',
      notDoneByAccepting((_, t) => agreed(t)),
    ),
    check(
      'mcp-url-elicitation/server/complete-after',
      'does not say that it is complete',
      unlessModern(completedAfterReturn(agreed)),
    ),
  ],
})

const modernAcceptOnly = scenario({
  id: 'modern-accept-only',
  title: 'the retry says that the client agrees, and nobody opens the URL, on revision 2026-07-28',
  control: 'modern',
  notApplicable: needsModern,
  async drive({ begin, user, observeWhilePending }) {
    const call = begin(user, { revision: modernRevision })
    await call.awaitUrl()
    await call.answer('accept')
    await call.retry()
    await observeWhilePending()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/accept-is-not-done',
      'does not take consent for completion',
      notDoneByAccepting((_, t) => agreed(t)),
    ),
  ],
})

const denied = scenario({
  id: 'denied-at-the-provider',
  title: 'the client agrees, and the user denies at the provider',
  control,
  async drive({ begin, user, observe }) {
    const call = begin(user)
    await user.deny(call)
    await call.settle()
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/accept-is-not-done',
      'does not go on without what was denied',
      notDoneByAccepting((call, t) => {
        const back = callbackWith(t, call.name, 'error')
        return back ? cite(back) : 'the browser did not come back with an error'
      }),
    ),
    check(
      'oauth-client/report-denial',
      'reports the denial',
      reportsFailure('the denial', (_, t) => answeredCallback(t, 'call-1', 'error')),
    ),
  ],
})

export const unfinishedScenarios = [acceptOnly, modernAcceptOnly, ofOauthClients(denied)]
