/** A notification of a cancellation that is not about the pending call. */

import { cite, inconclusive, isAfter, violation } from '../../../../harness/engine/index.ts'
import { citeEvents, mayHaveTimedOut, upstreamAt } from '../../../oauth-client/view.ts'
import { check } from '../checks.ts'
import { callOf } from '../view.ts'
import { cancellationPath } from '../vocabulary.ts'
import { exchangesCode } from '../handoff.ts'
import { scenario } from './define.ts'

/** Calls that are not the pending one: what they share with it, and what is said of who takes one for the other. */
const others = [
  {
    id: 'cancellation-in-another-thread',
    title: 'a call with the same id, of another thread, is cancelled',
    shared: 'id',
    what: 'a call of another thread',
    expected: 'a call that goes on, since thread_id names another thread',
  },
  {
    id: 'cancellation-of-another-call',
    title: 'a call of the same thread, with another id, is cancelled',
    shared: 'thread',
    what: 'another call of its thread',
    expected: 'a call that goes on, since tool_call_id names another call',
  },
] as const

/**
 * The ids of calls are unique in their threads; what is to be cancelled is named by both. A tool may ignore what it is notified
 * of, or have no such endpoint (reading 39): then its call goes on, too.
 */
export const cancellationScenarios = others.map(({ id, title, shared, what, expected }) =>
  scenario({
    id,
    title,
    control: 'authorize-and-complete',
    async drive({ tool, user, observeWhilePending }) {
      const call = tool.invoke({ as: user })
      await call.asked()
      await tool.notifyCancelled(call, shared)
      await observeWhilePending()
      await user.approve(call)
      await call.ended()
    },
    checks: [
      check('rap-oauth/tool/cancel-in-thread', 'leaves this call as it is', (t, context) => {
        const call = callOf(t)
        const notice = t.requests('notification').find(({ url }) => url.endsWith(cancellationPath))
        const answer = notice && t.answer(notice)
        if (!answer) return inconclusive('the tool was not notified')
        const [end] = call.ended
        const [callback] = t.requests('browser', 'call-1').filter((each) => isAfter(each, answer))
        const isEarly = end && (!callback || isAfter(callback, end.event))
        if (isEarly && mayHaveTimedOut(call, end.event, context.declared.pendingTimeoutMs))
          return inconclusive('the declared pendingTimeout may have ended the call')
        const usual = exchangesCode()(t, context)
        if (!isEarly && usual.outcome !== 'violation')
          return { ...usual, evidence: [...cite(notice, answer), ...usual.evidence] }
        if (answer.type !== 'response') return inconclusive('the notification was not answered')
        const undisturbed = context.control && exchangesCode()(context.control, context)
        if (!isEarly && undisturbed?.outcome === 'violation')
          return inconclusive('no code is exchanged where nothing was cancelled, either')
        // Who presents the code has gone on; that it is not redeemed has another cause, such as a provider that is slow.
        const [presented] = upstreamAt(call, '/token')
        if (!isEarly && presented)
          return inconclusive('the code was presented, and not redeemed', cite(notice, presented))
        return violation(
          `a call was cancelled by a notification about ${what}`,
          { expected, actual: end?.text ?? 'a code that is not exchanged' },
          [...cite(notice, answer), ...citeEvents(end)],
        )
      }),
    ],
  }),
)
