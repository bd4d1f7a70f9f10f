/** What time makes of flows and tokens: by the clock of the manager, which is moved. */

import {
  asNotOffered,
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  show,
  Transcript,
  violation,
} from '../../../../harness/engine/index.ts'
import type { FaultId } from '../../../../harness/parties/user/user-agent.ts'
import { answeredCallback } from '../../../oauth-client/arrival.ts'
import { storedTokenJudgesOf } from '../../../oauth-client/scenarios/stored-token-judges.ts'
import { issuedGrant, refreshesOf, served } from '../../../oauth-client/view.ts'
import { usesIssuedTokenIn } from '../../own-tokens.ts'
import type { State } from '../../start-framework.ts'
import { callOf } from '../../view.ts'
import { check, exchangesIn, neverExchanges, type Judge } from '../checks.ts'
import { saysWhatFailed } from '../clear-errors.ts'
import { needsClock, needsDurability, needsDurableFlows, needsErrors } from '../conditions.ts'
import type { ManagerFixtures } from '../fixtures.ts'
import { handoff } from '../handoff.ts'
import { control, scenario } from './define.ts'

/** The user comes back when so much of the declared time is over; with a store, after a restart. */
const comesBack = (share: number, state: State) => async (fixtures: ManagerFixtures) => {
  const own = await fixtures.timed(true, state)
  const { begin, user, pass, mark: note, observe } = own
  const call = begin(user)
  await call.asked()
  if (state === 'durable') await own.restart()
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
  drive: comesBack(0.9, 'none'),
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

const refusesLate: Judge = (t, { control: twin }) => {
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
}

const tooLate = scenario({
  id: 'callback-too-late',
  title: 'the user comes back after eleven tenths of the time',
  control: 'callback-in-time',
  ownInstance: true,
  notApplicable: needsClock,
  drive: comesBack(1.1, 'none'),
  checks: [
    check('penguiflow-oauth/manager/pending-expires', 'refuses it', refusesLate),
    check(
      'penguiflow-oauth/manager/clear-errors',
      'says that it is too late',
      saysWhatFailed('a callback that comes too late', (t) =>
        mark(t, 'away') ? answeredCallback(t, 'call-1', 'code') : 'no time passed',
      ),
    ),
  ],
})

/** What is kept over a restart does not begin anew with it. */
const tooLateAfterRestart = scenario({
  id: 'callback-too-late-after-restart',
  title: 'the framework is restarted, and the user comes back after eleven tenths of the time',
  control: 'restart-before-callback',
  ownInstance: true,
  notApplicable: (declared) => needsClock(declared) ?? needsDurableFlows(declared),
  drive: comesBack(1.1, 'durable'),
  checks: [check('penguiflow-oauth/manager/pending-expires', 'refuses it', refusesLate)],
})

/** Who was away already when the framework was restarted has not left anew. */
const tooLateOverRestart = scenario({
  id: 'callback-too-late-over-restart',
  title:
    'the framework is restarted halfway, and the user comes back after eleven tenths of the time',
  control: 'restart-before-callback',
  ownInstance: true,
  notApplicable: (declared) =>
    needsClock(declared) ?? needsDurability(declared) ?? needsDurableFlows(declared),
  needs: {
    what: 'a clock that is as late after a restart as it was before',
    seen: (run) => laterClock(run.get('callback-too-late-over-restart') ?? new Transcript([])),
  },
  async drive(fixtures) {
    const own = await fixtures.timed(true, 'durable')
    const { begin, user, newUser, pass, restart, pendingFor, mark: note, observe } = own
    const call = begin(user)
    await call.asked()
    // It runs out by the time that passes before the restart and after it, and by neither alone.
    const seconds = Math.round((0.8 * pendingFor) / 1000)
    const other = newUser('other')
    const served = begin(other)
    await other.approve(served, { access_token_lifetimes: [seconds, seconds] })
    await served.ended()
    await pass(Math.round(0.55 * pendingFor))
    await restart()
    await begin(other).answered()
    await pass(Math.round(0.55 * pendingFor))
    note('away')
    await user.approve(call)
    await call.settle()
    await observe()
    const again = begin(other)
    await again.answered()
    await again.waitUntil('no token has run out', (_, t) => laterClock(t)).catch(asNotOffered)
  },
  checks: [
    check('penguiflow-oauth/manager/pending-expires', 'refuses it', (t, context) => {
      const later = laterClock(t)
      if (!later) return inconclusive('the clock was not seen to be later after the restart')
      return refusesLate(t, context)
    }),
  ],
})

/** That the token of somebody else has run out meanwhile: an adapter may forget with a restart how far its clock was moved. */
function laterClock(t: Transcript) {
  const since = mark(t, 'away')
  const [restarted] = t.steps('restarted')
  const kept = callOf(t, 'call-2').accesses.some(
    (access) => served(access) && isAfter(access, restarted),
  )
  if (!since || !restarted || !kept) return undefined
  const refreshed = refreshesOf(t).find((grant) => isAfter(grant, since))
  return callOf(t, 'call-4').pauses[0]?.event ?? refreshed
}

/** Of the access token, in seconds: no life that anybody takes for granted. */
const life = 1500

/** Seconds after its end: enough for slow machines, and less than the minute that many allow for clocks that differ. */
const overdue = 30

const { reusesToken } = storedTokenJudgesOf(handoff)

/**
 * The user says it again after half of the token's life, with a store after a restart; then it expires, and has these
 * faults.
 */
async function untilExpired(
  { timed }: ManagerFixtures,
  state: State,
  ...faults: readonly FaultId[]
) {
  const fixtures = await timed(false, state)
  const { begin, user, pass, mark: note, restart } = fixtures
  const call = begin(user)
  const flow = await user.approve(call, { access_token_lifetimes: [life, life] })
  await call.ended()
  if (state === 'durable') await restart()
  await pass(life * 500, flow)
  await begin(user).answered()
  if (faults.length > 0) user.setFaults(flow, faults)
  await pass(life * 500 + overdue * 1000, flow)
  note('expired')
  return fixtures
}

/** The user says it once more then, and consents anew. */
const says =
  (state: State, ...faults: readonly FaultId[]) =>
  async (fixtures: ManagerFixtures) => {
    const { begin, user } = await untilExpired(fixtures, state, ...faults)
    const last = begin(user)
    if ((await last.answered()) === 'ended') return
    await user.approve(last)
    await last.ended()
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

/** What must have been kept over the restart, to have expired since. */
const usesNoneFromStore: Judge = (t, context) => {
  const [since] = t.steps('restarted')
  const kept = callOf(t).accesses.some((access) => isAfter(access, since) && served(access))
  if (!kept) return inconclusive('the token was not used after the restart')
  return usesNoExpiredToken(t, context)
}

/** What is issued then takes the place of the token that has expired; who refreshes that asks nobody. */
const usesNextToken: Judge = (t) => {
  const since = mark(t, 'expired')
  const { asked } = callOf(t, 'call-3')
  const refreshed = refreshesOf(t).find((grant) => isAfter(grant, since))
  const used = callOf(t).accesses.find((access) => isAfter(access, refreshed) && served(access))
  if (asked.length === 0 && used) return pass('it was refreshed, and used', cite(refreshed, used))
  return usesIssuedTokenIn('call-3', t)
}

const expires = scenario({
  id: 'token-expires',
  title: 'the user says it again after half of the token’s life, and when it has expired',
  control: 'stored-token',
  ownInstance: true,
  notApplicable: needsClock,
  drive: says('none'),
  checks: [
    check('oauth-client/reuse-stored-token', 'serves for half of its life', reusesToken()),
    check('penguiflow-oauth/manager/expired-token', 'is not used', usesNoExpiredToken),
    check('penguiflow-oauth/manager/token-stored', 'is followed by the next one', usesNextToken),
  ],
})

const expiresInStore = scenario({
  id: 'token-expires-in-store',
  title: 'the framework is restarted before the token expires',
  control: 'token-expires',
  ownInstance: true,
  notApplicable: (declared) => needsClock(declared) ?? needsDurability(declared),
  drive: says('durable'),
  checks: [check('penguiflow-oauth/manager/expired-token', 'is not used', usesNoneFromStore)],
})

/** Who does not refresh has nothing to be refused. */
const notRefreshed = scenario({
  id: 'refresh-refused',
  title: 'the token has expired, and whoever refreshes it is refused',
  control: 'token-expires',
  ownInstance: true,
  notApplicable: needsClock,
  drive: says('none', 'refresh-error-invalid_grant'),
  checks: [
    check(
      'penguiflow-oauth/manager/expired-token',
      'is not used when no other is given for it',
      usesNoExpiredToken,
    ),
  ],
})

/** Neither the question nor the denial makes the token any younger. */
const deniedAnew = scenario({
  id: 'token-expires-then-denied',
  title: 'the token has expired, the user denies another one, and says it again',
  control: 'token-expires',
  ownInstance: true,
  notApplicable: (declared) => needsClock(declared) ?? needsErrors(declared),
  async drive(fixtures) {
    const { begin, user } = await untilExpired(fixtures, 'none')
    const call = begin(user)
    if ((await call.answered()) === 'ended') return
    await user.deny(call)
    await call.settle()
    await begin(user).answered()
  },
  checks: [
    check(
      'penguiflow-oauth/manager/expired-token',
      'is not used when its user has denied another one',
      (t, context) => {
        const [asked, last] = [callOf(t, 'call-3'), callOf(t, 'call-4')]
        if (asked.asked.length > 0 && last.outcomes.length === 0)
          return inconclusive('the run after the denial neither paused nor ended')
        return usesNoExpiredToken(t, context)
      },
    ),
  ],
})

export const clockScenarios = [
  inTime,
  tooLate,
  tooLateAfterRestart,
  tooLateOverRestart,
  expires,
  expiresInStore,
  notRefreshed,
  deniedAnew,
]
