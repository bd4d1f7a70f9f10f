/** What a client checks in its first flow is checked in later ones of the same user, too (RFC 9700 §4.4, §4.7). */

import { NotOffered, Unreached, type Need, type Transcript } from '../../../harness/engine/index.ts'
import { answeredCallback } from '../arrival.ts'
import type { ClientFixtures, Handoff } from '../handoff.ts'
import { check, judgesOf, type Judge } from '../judges.ts'
import { alteredState, stateIn } from '../other-states.ts'
import type { PendingCall } from '../pending-call.ts'
import type { Flow, User } from '../user.ts'
import { served, tokenAccesses } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { forgeFirst } from './drives.ts'
import { forgeryJudgesOf } from './forgery.ts'
import { sendsNoCodeOfAnother } from './issuer.ts'

/** Nobody has to send a user away again who has just denied. */
const afterDenial: Need = {
  what: 'a flow of a user who has denied before',
  seen: () => undefined,
}

/** Whether a user is sent away again whose grant was revoked is judged in `grant-revoked`. */
const afterRevocation: Need = {
  what: 'a flow of a user whose grant was revoked',
  seen: () => undefined,
}

/** A call of a user whose grant was revoked: the next one, where the first may end because of it. */
export async function callAnew(
  { begin, user }: Pick<ClientFixtures, 'begin' | 'user'>,
  { mayReportRefusal }: Handoff,
): Promise<{ readonly revoked: Flow; readonly call: PendingCall }> {
  const first = begin(user)
  const revoked = await user.approve(first)
  await first.ended()
  user.revoke(revoked)
  const second = begin(user)
  const isReported = mayReportRefusal && (await second.answered()) === 'ended'
  return { revoked, call: isReported ? begin(user) : second }
}

/** Which call of a recording that is. */
export function calledAnew({ callOf, mayReportRefusal }: Handoff, t: Transcript): string {
  const second = callOf(t, 'call-2')
  const isReported = mayReportRefusal && second.ended.length > 0 && second.asked.length === 0
  return isReported && !tokenAccesses(second).some(served) ? 'call-3' : 'call-2'
}

/** @throws NotOffered - Nobody is sent away by that call. */
async function consentIfAsked(
  user: User,
  call: PendingCall,
  ...decision: readonly Parameters<User['consent']>[1][]
): Promise<Flow> {
  return user.consent(call, ...decision).catch((error: unknown) => {
    if (!(error instanceof Unreached)) throw error
    throw new NotOffered(error.message)
  })
}

export function stateAlteredAfterDenial(handoff: Handoff): ClientScenario {
  const { noTokenRequest } = forgeryJudgesOf(handoff)
  return scenario({
    id: 'state-altered-after-denial',
    title: 'a user who has denied calls again, and a callback with another state comes',
    control: handoff.control,
    needs: afterDenial,
    async drive(fixtures) {
      const { begin, user } = fixtures
      const denied = begin(user)
      await user.deny(denied)
      await denied.settle()
      const call = begin(user, denied)
      const flow = await consentIfAsked(user, call)
      await forgeFirst(fixtures, flow, { state: alteredState(stateIn(flow.redirect)) })
      await call.settle()
    },
    checks: [
      check(
        'oauth-client/validate-state',
        'refuses a callback with another state in a later flow',
        noTokenRequest('call-2'),
      ),
    ],
  })
}

export function renewedFlowScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { noTokenRequest, refusesUsed } = forgeryJudgesOf(handoff)
  const { reportsFailure } = judgesOf(handoff)
  const anew = (t: Transcript): string => calledAnew(handoff, t)
  const judged =
    (judgeOf: (name: string) => Judge): Judge =>
    (t, context) =>
      judgeOf(anew(t))(t, context)

  const altered = scenario({
    id: 'state-altered-after-revocation',
    title: 'a user whose grant was revoked calls again, and a callback with another state comes',
    control: handoff.storedControl,
    needs: afterRevocation,
    async drive(fixtures) {
      const { call } = await callAnew(fixtures, handoff)
      const flow = await consentIfAsked(fixtures.user, call)
      await forgeFirst(fixtures, flow, { state: alteredState(stateIn(flow.redirect)) })
      await call.settle()
    },
    checks: [
      check(
        'oauth-client/validate-state',
        'refuses a callback with another state in a later flow',
        judged(noTokenRequest),
      ),
    ],
  })

  const replayed = scenario({
    id: 'callback-of-revoked-flow',
    title: 'a user whose grant was revoked calls again, and the callback of the first flow comes',
    control: handoff.storedControl,
    needs: afterRevocation,
    async drive(fixtures) {
      const { user, mark, observeWhilePending } = fixtures
      const { revoked, call } = await callAnew(fixtures, handoff)
      const flow = await consentIfAsked(user, call)
      mark('forged')
      await user.follow(flow, revoked.redirect)
      await observeWhilePending()
      mark('genuine')
      await user.follow(flow)
      await call.settle()
    },
    checks: [check('oauth-client/state-single-use', 'ignores the replay', refusesUsed)],
  })

  const issuerWrong = scenario({
    id: 'issuer-wrong-after-revocation',
    title: 'a user whose grant was revoked authorizes anew, and the response names another issuer',
    control: handoff.storedControl,
    needs: afterRevocation,
    async drive(fixtures) {
      const { user, observe } = fixtures
      const { call } = await callAnew(fixtures, handoff)
      await user.follow(await consentIfAsked(user, call, { faults: ['authorize-iss-wrong'] }))
      await observe()
    },
    checks: [
      check(
        'oauth-client/validate-issuer',
        'does not send the code to the token endpoint in a later flow',
        judged((name) => sendsNoCodeOfAnother(handoff, name)),
      ),
    ],
  })

  const fails = scenario({
    id: 'authorization-error-after-revocation',
    title: 'a user whose grant was revoked calls again, and the provider answers with server_error',
    control: handoff.storedControl,
    needs: afterRevocation,
    async drive(fixtures) {
      const { user, observe } = fixtures
      const { call } = await callAnew(fixtures, handoff)
      await user.follow(
        await consentIfAsked(user, call, { action: 'error', error: 'server_error' }),
      )
      await call.ended()
      await observe()
    },
    checks: [
      check(
        'oauth-client/report-authorization-error',
        'reports server_error in a later flow',
        judged((name) =>
          reportsFailure('server_error', (_, t) => answeredCallback(t, name, 'error'), name),
        ),
      ),
    ],
  })

  return [altered, replayed, issuerWrong, fails]
}
