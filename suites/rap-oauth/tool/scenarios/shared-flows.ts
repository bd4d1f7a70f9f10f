/** Flows that a tool may share between calls of one user, and must not share between users. */

import { citeEvents, issuedGrant, mayHaveTimedOut } from '../../../oauth-client/view.ts'
import { reportsFailure } from '../handoff.ts'
import { answeredCallback, callbackWith } from '../../../oauth-client/arrival.ts'
import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  violation,
  watched,
  worstOf,
} from '../../../../harness/engine/index.ts'
import type { User } from '../../../oauth-client/user.ts'
import { textOf } from '../../messages.ts'
import { check } from '../checks.ts'
import type { Tool } from '../session.ts'
import { callOf, citeMessages, isError } from '../view.ts'
import { scenario } from './define.ts'
import { eachInTurn, pendingTogether } from './pending-together.ts'

const control = 'authorize-and-complete'

const deniedTogether = scenario({
  id: 'two-calls-of-one-user-denied',
  title: 'two calls of one user are pending at the same time, and the user denies',
  control,
  async drive({ tool, user, observe, timing }) {
    const calls = [tool.invoke({ as: user }), tool.invoke({ as: user })] as const
    await pendingTogether(calls, timing)
    await eachInTurn(calls, async (call, isFirst) => {
      // A tool may have one flow for both: then this denial is that of both.
      if (isFirst) await user.deny(call)
      await call.settle()
    })
    await observe()
  },
  checks: [
    check(
      'oauth-client/report-denial',
      'reports the denial to every call that waits for it',
      (t, context) => {
        const names = ['call-1', 'call-2']
        const visited = names.filter((name) => t.requests('browser', name).length > 0)
        const urlOf = (name: string) => callOf(t, name).oauth[0]?.value['auth_url']
        const judgements = names.flatMap((name) => {
          // The denial of a shared flow stands at one call only.
          const denied = visited.includes(name) ? name : (visited[0] ?? name)
          // Who had a flow of their own, and was not visited before it ended, was not denied.
          if (urlOf(name) !== undefined && urlOf(name) !== urlOf(denied)) return []
          const callback = callbackWith(t, denied, 'error')
          const [result] = callOf(t, name).results
          // One that has given way to the other before was not denied.
          if (callback && result && !isAfter(result.event, callback)) return []
          return reportsFailure(
            'the denial',
            (_, all) => answeredCallback(all, denied, 'error'),
            name,
          )(t, context)
        })
        return (
          worstOf(judgements) ??
          pass(
            'all that waited were told',
            judgements.flatMap(({ evidence }) => evidence),
          )
        )
      },
    ),
  ],
})

/** The second after the first: whose call a shared flow belongs to in the end must not be chance. */
async function askedInOneThread(tool: Tool, user: User, other: User) {
  const first = tool.invoke({ as: user })
  await first.asked()
  const second = tool.invoke({ as: other, groupId: first.groupId })
  await second.asked()
  return { first, second }
}

const oneThread = scenario({
  id: 'two-users-in-one-thread',
  title: 'two users of one thread are asked at the same time, and one approves',
  control,
  async drive({ tool, user, newUser, observeWhilePending }) {
    const { first } = await askedInOneThread(tool, user, newUser('other'))
    await user.approve(first)
    await first.ended()
    await observeWhilePending()
  },
  checks: [
    check(
      'oauth-client/token-bound-to-user',
      "does not complete a user's call by another's consent",
      (t) => {
        const [first, second] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
        const issued = issuedGrant(first)
        const [asked] = second.oauth
        if (!issued || !asked) return inconclusive('nobody approved while another user was asked')
        const served = second.results.find((result) => !isError(result))
        const evidence = [...cite(issued), ...citeMessages(first.oauth[0], asked, served)]
        // One that went astray belongs to the other call, as its id says: echo-id judges that.
        if (served && served.value['id'] !== second.sent.id)
          return inconclusive('the result that came carries another id', evidence)
        if (served) {
          return violation(
            "a user's call was completed by the consent of another user of the thread",
            { expected: 'a call that still waits for its user', actual: textOf(served.value) },
            evidence,
          )
        }
        if (first.oauth[0]?.value['auth_url'] === asked.value['auth_url']) {
          return violation(
            'two users were given the same authorization URL',
            { expected: 'a flow for each user', actual: String(asked.value['auth_url']) },
            evidence,
          )
        }
        if (watched(t) === undefined)
          return inconclusive('the run did not watch the other call', evidence)
        return pass('the other user is still asked', evidence)
      },
    ),
  ],
})

/** What one user says decides nothing for another, not even in one thread. */
const oneDenies = scenario({
  id: 'two-users-in-one-thread-one-denies',
  title: 'two users of one thread are asked at the same time; one denies, then the other approves',
  control,
  async drive({ tool, user, newUser, timing }) {
    const other = newUser('other')
    const { first, second } = await askedInOneThread(tool, user, other)
    await user.deny(first)
    // Not for long: who forgets the denied call is judged elsewhere, and the other call must not time out meanwhile.
    await first.settle(timing.observeMs)
    await other.approve(second)
    await second.settle()
  },
  checks: [
    check(
      'rap-oauth/tool/isolate-concurrent-calls',
      "does not end a user's call by another's denial",
      (t, { declared, control: twin }) => {
        const denied = answeredCallback(t, 'call-1', 'error')
        if (typeof denied === 'string') return inconclusive(denied)
        const second = callOf(t, 'call-2')
        const [asked] = second.oauth
        if (!asked) return inconclusive('no other user was asked')
        const [end] = second.ended
        const evidence = [...denied, ...citeMessages(asked), ...citeEvents(end)]
        const [grant] = second.grants
        if (grant)
          return pass('the consent of the other one is redeemed', [...evidence, ...cite(grant)])
        if (end && mayHaveTimedOut(second, end.event, declared.pendingTimeoutMs))
          return inconclusive('the pending timeout may have ended it', evidence)
        const consent = callbackWith(t, 'call-2', 'code')
        if (end && (!consent || isAfter(consent, end.event))) {
          return violation(
            'a call ended because another user of its thread had denied',
            { expected: 'a call that still waits for its user', actual: end.text },
            evidence,
          )
        }
        const consented = answeredCallback(t, 'call-2', 'code')
        if (typeof consented === 'string') return inconclusive(consented, evidence)
        if (!twin || callOf(twin).grants.length === 0)
          return inconclusive('no consent is redeemed, not even where nobody denied', evidence)
        if (!end && gaveUpAfter(t, 'call-2') === undefined)
          return inconclusive('the run did not see what became of the consent', evidence)
        return violation(
          'after a user had denied, the consent of another one of the thread was not taken',
          { expected: 'a token request for it', actual: end?.text ?? 'no token request' },
          [...evidence, ...consented],
        )
      },
    ),
  ],
})

export const sharedFlowScenarios = [deniedTogether, oneThread, oneDenies]
