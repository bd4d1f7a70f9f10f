/** What time makes of flows and tokens: by the clock of the manager, which is moved. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  show,
  violation,
} from '../../../../harness/engine/index.ts'
import type { FaultId } from '../../../../harness/parties/user/user-agent.ts'
import { answeredCallback } from '../../../oauth-client/arrival.ts'
import { storedTokenJudgesOf } from '../../../oauth-client/scenarios/stored-token-judges.ts'
import { issuedGrant, refreshesOf, served } from '../../../oauth-client/view.ts'
import { callOf } from '../../view.ts'
import { check, exchangesIn, neverExchanges, type Judge } from '../checks.ts'
import { needsClock } from '../conditions.ts'
import type { ManagerFixtures } from '../fixtures.ts'
import { handoff } from '../handoff.ts'
import { control, scenario } from './define.ts'

/** The user comes back when so much of the declared time is over. */
const comesBack = (share: number) => async (fixtures: ManagerFixtures) => {
  const { begin, user, pass, mark: note, observe } = await fixtures.timed(true)
  const call = begin(user)
  await call.asked()
  await pass(Math.round(share * fixtures.pendingFor))
  note('away')
  await user.approve(call)
  await call.settle()
  await observe()
}

const inTime = scenario({
  id: 'callback-in-time',
  title: 'the user comes back after nine tenths of the time',
  control,
  ownInstance: true,
  notApplicable: needsClock,
  drive: comesBack(0.9),
  checks: [
    check(
      'penguiflow-oauth/manager/pending-expires',
      'is not too early to refuse',
      (t, { control: twin }) => {
        const call = callOf(t)
        const reached = answeredCallback(t, 'call-1', 'code')
        const away = mark(t, 'away')
        if (typeof reached === 'string' || !away)
          return inconclusive('the callback did not reach the manager')
        const issued = issuedGrant(call)
        const evidence = [...cite(away), ...reached]
        if (issued) return pass('the code was exchanged', [...evidence, ...cite(issued)])
        const [came] = call.callbacks
        if (!came) return inconclusive('the manager did not react to the callback', evidence)
        if (!exchangesIn(twin)) return inconclusive(neverExchanges, evidence)
        const difference = { expected: 'a token', actual: show(came.detail['message']) }
        return violation(
          'a callback is refused before the time of its flow is over',
          difference,
          evidence,
        )
      },
    ),
  ],
})

const tooLate = scenario({
  id: 'callback-too-late',
  title: 'the user comes back after eleven tenths of the time',
  control: 'callback-in-time',
  ownInstance: true,
  notApplicable: needsClock,
  drive: comesBack(1.1),
  checks: [
    check('penguiflow-oauth/manager/pending-expires', 'refuses it', (t, { control: twin }) => {
      const reached = answeredCallback(t, 'call-1', 'code')
      const away = mark(t, 'away')
      if (typeof reached === 'string' || !away)
        return inconclusive('the callback did not reach the manager')
      if (!exchangesIn(twin)) return inconclusive(neverExchanges)
      const [grant] = callOf(t).grants
      const evidence = [...cite(away, grant), ...reached]
      if (!grant) return pass('no token request followed', evidence)
      const difference = {
        expected: 'a refusal',
        actual: `a token request, ${String(grant.detail['outcome'])}`,
      }
      return violation(
        'a callback is accepted after the time of its flow is over',
        difference,
        evidence,
      )
    }),
  ],
})

/** Of the access token, in seconds: no life that anybody takes for granted. */
const life = 1500

/** Seconds after its end: enough for slow machines, and less than the minute that many allow for clocks that differ. */
const overdue = 30

const { reusesToken } = storedTokenJudgesOf(handoff)

/** The user says it again after half of the token's life, and once more when it has expired, with these faults. */
const says =
  (...faults: readonly FaultId[]) =>
  async ({ timed }: ManagerFixtures) => {
    const { begin, user, pass, mark: note } = await timed(false)
    const call = begin(user)
    const flow = await user.approve(call, { access_token_lifetimes: [life, life] })
    await call.ended()
    await pass(life * 500, flow)
    await begin(user).answered()
    if (faults.length > 0) user.setFaults(flow, faults)
    await pass(life * 500 + overdue * 1000, flow)
    note('expired')
    await begin(user).answered()
  }

const usesNoExpiredToken: Judge = (t) => {
  const since = mark(t, 'expired')
  const first = callOf(t)
  const [outcome] = callOf(t, 'call-3').outcomes
  if (!first.accesses.some(served)) return inconclusive('the token was not used before')
  if (!since || !outcome) return inconclusive('the last run neither paused nor ended')
  const used = first.accesses.find((access) => isAfter(access, since) && !served(access))
  const refreshed = refreshesOf(t).find(
    (grant) => isAfter(grant, since) && grant.detail['outcome'] === 'issued',
  )
  const evidence = cite(since, outcome, used, refreshed)
  if (used) {
    const difference = {
      expected: 'another pause, or a refresh',
      actual: 'a request to the API',
    }
    return violation('an expired token was used', difference, evidence)
  }
  if (outcome.action === 'paused' || refreshed)
    return pass(refreshed ? 'refreshed' : 'it paused', evidence)
  const again = first.accesses.find((access) => isAfter(access, since))
  return again
    ? inconclusive('the API served a token that should have expired', evidence)
    : pass('the run ended without the tool', evidence)
}

const expires = scenario({
  id: 'token-expires',
  title: 'the user says it again after half of the token’s life, and when it has expired',
  control: 'stored-token',
  ownInstance: true,
  notApplicable: needsClock,
  drive: says(),
  checks: [
    check('oauth-client/reuse-stored-token', 'serves for half of its life', reusesToken()),
    check('penguiflow-oauth/manager/expired-token', 'is not used', usesNoExpiredToken),
  ],
})

/** Who does not refresh has nothing to be refused. */
const notRefreshed = scenario({
  id: 'refresh-refused',
  title: 'the token has expired, and whoever refreshes it is refused',
  control: 'token-expires',
  ownInstance: true,
  notApplicable: needsClock,
  drive: says('refresh-error-invalid_grant'),
  checks: [
    check(
      'penguiflow-oauth/manager/expired-token',
      'is not used when no other is given for it',
      usesNoExpiredToken,
    ),
  ],
})

export const clockScenarios = [inTime, tooLate, expires, notRefreshed]
