/** The API serves a user, has nothing for them, then fails: what failed has to be told from what was served. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type ProviderRecord,
  type Recorded,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { FaultId } from '../../../../harness/parties/user/user-agent.ts'
import { readsLike } from '../../../oauth-client/endings.ts'
import type { Ended } from '../../../oauth-client/handed-call.ts'
import type { Flow } from '../../../oauth-client/user.ts'
import {
  askedTooMuch,
  citeEvents,
  isRateLimit,
  served,
  tokenAccesses,
} from '../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { callOf, callsOf, type CallView } from '../view.ts'
import { scenario } from './define.ts'

/** What the API does at the calls of one user, one after the other; it has served those before `failing`. */
const answers: readonly (readonly FaultId[])[] = [
  [],
  ['resource-success-without-items'],
  ['resource-error-500'],
  ['resource-connection-closed'],
  ['resource-error-insufficient_scope'],
]
const failing = 2

export const failingApi = scenario({
  id: 'api-fails-later',
  title: 'the protected API serves a user, has nothing for them, then fails in three ways',
  control: 'authorize-and-complete',
  async drive({ tool, user }) {
    let flow: Flow | undefined
    for (const faults of answers) {
      const call = tool.invoke({ as: user })
      if (flow) user.setFaults(flow, faults)
      if ((await call.answered()) === 'ended') continue
      // Who is asked anew because a scope does not suffice has been told of it.
      if (faults.includes('resource-error-insufficient_scope')) return
      flow = await user.approve(call, { faults })
      await call.ended()
    }
  },
  checks: [
    check(
      'rap-oauth/tool/report-failed-operation',
      'gives no result that a served call could have',
      tellsFailures(),
    ),
  ],
})

function tellsFailures(): Judge {
  return (t) => {
    const calls = answers.map((_, index) => callOf(t, `call-${index + 1}`))
    const real = calls.slice(0, failing).filter((call) => accessesOf(t, call).some(served))
    const [full, empty] = real.map(({ ended }) => ended[0])
    if (!full || !empty) return inconclusive('no two calls were served, with data and without')
    const failed = calls.slice(failing).flatMap((call) => {
      const accesses = accessesOf(t, call)
      const [end] = call.ended
      return end && accesses.length > 0 && !accesses.some(served) ? [{ end, accesses }] : []
    })
    if (failed.length === 0)
      return inconclusive('no call ended whose operation the protected API had failed')
    for (const { end, accesses } of failed) {
      const evidence = [...cite(accesses[0]), ...citeEvents(end, full, empty)]
      if (isRateLimit(end)) return inconclusive(askedTooMuch, evidence)
      const likeness = likenessOf(end, full, empty)
      if (likeness === undefined) continue
      // A result that is the same whatever the API says may be that of a tool that never understands it.
      if (full.text === empty.text && full.text.trim() !== '' && !namesUser(t, full))
        return inconclusive(
          'the result is the same whatever the protected API answers, so it does not tell what it reports',
          evidence,
        )
      const difference = {
        expected: 'an error description',
        actual: end.text.trim() || 'no words at all',
      }
      return violation(
        `the protected API failed, and the result ${likeness}: report the error, and return no data in its place`,
        difference,
        evidence,
      )
    }
    return pass(
      `${failed.length} failures in other words than what was served`,
      failed.flatMap(({ end }) => citeEvents(end)),
    )
  }
}

/** What makes the end of a failed call one of success; an error that is named so is none. */
function likenessOf(end: Ended, full: Ended, empty: Ended): string | undefined {
  if (end.error) return undefined
  if (end.text.trim() === '') return 'says nothing'
  // The members of an object have no order, so that two texts may say the same.
  if (readsLike(handoff, end, empty)) return 'is that of a call for which there was nothing'
  if (end.text === full.text) return 'is that of a call that was served'
  return handoff.readsAsServed?.(end, full) ? 'is built like that of a served call' : undefined
}

/** Requests for the operation with a token while a call was open: one call is made after the other. */
function accessesOf(
  t: Transcript,
  { request, ended: [end] }: CallView,
): Recorded<ProviderRecord>[] {
  if (!end) return []
  const all = callsOf(t).flatMap(tokenAccesses)
  return all.filter((access) => isAfter(access, request) && isAfter(end.event, access))
}

function namesUser(t: Transcript, { text }: Ended): boolean {
  const subject = t.provider('decision')[0]?.detail['subject']
  return typeof subject === 'string' && text.includes(subject)
}
