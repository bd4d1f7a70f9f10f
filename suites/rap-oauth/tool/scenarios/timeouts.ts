import { longestAnswer } from '../../../oauth-client/endings.ts'
import {
  cite,
  clockStep,
  elapsed,
  inconclusive,
  pass,
  Unreached,
  violation,
  gaveUpAfter,
  isAfter,
  mark,
  watched,
  type Moment,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { unlessUnreached } from '../../../oauth-client/scenarios/index.ts'
import type { User } from '../../../oauth-client/user.ts'
import { check, singleResult, type Judge } from '../checks.ts'
import type { Call } from '../call.ts'
import { callOf, citeMessages } from '../view.ts'
import type { Fixtures } from '../test-bed.ts'
import { scenario } from './define.ts'

/** Past a limit, so that no timer is early (milliseconds). */
const past = 100

/** Waits for the pending timeout, if one is declared: by moving the clock, or where the run may wait that long. */
async function waitForTimeout(
  call: Call,
  { pendingTimeoutMs, timing, observe, clock }: Fixtures,
): Promise<void> {
  if (pendingTimeoutMs === undefined) return observe()
  const longest = pendingTimeoutMs + timing.graceMs
  if (clock) {
    // What sleeps now looks at the time later, as it would without the jump.
    const nap = await clock.nap()
    await clock.jump(Math.max(0, pendingTimeoutMs - call.waited()) + past, { nap })
    return void (await call.ended(timing.graceMs + timing.stepMs + nap))
  }
  if (longest > timing.maxWaitMs) {
    throw new Unreached(
      `the declared pendingTimeout of ${pendingTimeoutMs} ms is longer than the run may wait (timing.maxWait, ${timing.maxWaitMs} ms)`,
    )
  }
  await call.ended(longest + timing.stepMs)
}

/** How long a call was waited for since, likewise. */
function waitedFor(t: Transcript, name: string, since: Moment): number {
  const last = t.steps('gave-up', name).at(-1)
  if (!last) return 0
  const isMoved = t.steps(clockStep).some((step) => isAfter(step, since))
  return isMoved ? elapsed(t, since, last) : (gaveUpAfter(t, name) ?? 0)
}

/** How late the tool may have noticed the jump, having slept (milliseconds). */
function napIn(t: Transcript): number {
  return Math.max(0, ...t.steps(clockStep).map(({ detail }) => Number(detail['nap'] ?? 0)))
}

const abandoned = scenario({
  id: 'abandoned-consent',
  title: 'the user opens the consent page and walks away',
  control: 'authorize-and-complete',
  async drive(given) {
    const fixtures = await given.movable(true)
    const call = fixtures.tool.invoke({ as: fixtures.user })
    await fixtures.user.open(call)
    await waitForTimeout(call, fixtures)
    await fixtures.observe()
  },
  checks: [
    check(
      'rap-oauth/tool/documented-timeout',
      'ends after the declared timeout',
      (t, { declared, timing }) => {
        const call = callOf(t)
        const [oauth] = call.oauth
        const [result] = call.results
        if (!oauth || !call.request) return inconclusive('no oauth message arrived')
        if (declared.pendingTimeoutMs === undefined) {
          if (result) return pass('the call ended', citeMessages(oauth, result))
          if (watched(t) === undefined)
            return inconclusive('the run did not watch whether the call ends')
          return violation(
            'the call stays pending and no timeout is documented',
            {
              expected: 'a tool_result, or a declared pendingTimeout',
              actual: `still pending after ${watched(t)} ms`,
            },
            [...cite(call.request), ...citeMessages(oauth)],
          )
        }
        const allowed = declared.pendingTimeoutMs + timing.graceMs
        if (!result) {
          if (waitedFor(t, call.name, oauth.event) < allowed)
            return inconclusive('the run did not wait for the declared timeout')
          return violation(
            'the call is still pending after the declared timeout',
            {
              expected: `a tool_result within ${declared.pendingTimeoutMs} ms (and ${timing.graceMs} ms of grace)`,
              actual: 'none',
            },
            [...cite(call.request), ...citeMessages(oauth)],
          )
        }
        const took = Math.round(elapsed(t, oauth.event, result.event))
        if (took <= allowed) return pass(`ended after ${took} ms`, citeMessages(oauth, result))
        if (took - allowed < 4 * longestAnswer(call, t) + napIn(t))
          return inconclusive(
            'the end came late, but perhaps only because the machine was slow',
            citeMessages(oauth, result),
          )
        return violation(
          'the call ended later than declared',
          {
            expected: `within ${declared.pendingTimeoutMs} ms (and ${timing.graceMs} ms of grace)`,
            actual: `${took} ms`,
          },
          citeMessages(oauth, result),
        )
      },
    ),
    check('rap-oauth/tool/single-result', 'sends one result', singleResult()),
  ],
})

const tooLate = scenario({
  id: 'approved-after-timeout',
  title: 'the user approves after the call has timed out',
  control: 'authorize-and-complete',
  async drive(given) {
    const fixtures = await given.movable(true)
    const { tool, user, observe, mark } = fixtures
    const call = tool.invoke({ as: user })
    const flow = await user.consent(call)
    await waitForTimeout(call, fixtures)
    mark('late')
    await user.follow(flow)
    await observe()
  },
  checks: [
    check(
      'rap-oauth/tool/single-result',
      'does not complete the call a second time',
      (t, context) => {
        if (context.declared.pendingTimeoutMs === undefined) {
          return inconclusive('no pendingTimeout is declared, so nothing could time out')
        }
        const late = mark(t, 'late')
        const returned = t
          .requests('browser', 'call-1')
          .find((request) => late && request.t >= late.t)
        if (!returned || t.answer(returned)?.type !== 'response')
          return inconclusive('the late callback did not reach the tool')
        return singleResult()(t, context)
      },
    ),
  ],
})

/** How calls end in time, each for a user of its own: by its consent, by a denial, by an exchange that fails. */
const endings: readonly ((user: User, call: Call, fixtures: Fixtures) => Promise<unknown>)[] = [
  (user, call) => user.approve(call),
  (user, call) => user.deny(call),
  async (user, call, { forgedCode }) => {
    const flow = await user.consent(call)
    return user.follow(flow, user.tampered(flow, { code: forgedCode(call) }))
  },
]

/** The call that was served has to be seen; how the others ended may be too. */
const endsEachOnce: Judge = (t, context) => {
  const [served, ...others] = endings.map((_, nth) => singleResult(`call-${nth + 1}`)(t, context))
  return others.find(({ outcome }) => outcome === 'violation') ?? served!
}

const afterwards = scenario({
  id: 'completed-before-timeout',
  title:
    'three calls end in time, by consent, by a denial and by a wrong code; then the pending timeout passes',
  control: 'authorize-and-complete',
  async drive(given) {
    const fixtures = await given.movable(true)
    const { tool, user, newUser, observe, pendingTimeoutMs = 0, timing, clock, offSlot } = fixtures
    const users = [user, newUser('denying'), newUser('forging')]
    const calls = users.map((each) => tool.invoke({ as: each }))
    const [call] = calls
    const ended = calls.map(async (each, nth) => {
      await endings[nth]!(users[nth]!, each, fixtures)
      await each.ended()
    })
    // What the others come to is for other scenarios.
    await Promise.all([ended[0], ...ended.slice(1).map((each) => each.catch(unlessUnreached))])
    if (clock) {
      const nap = await clock.nap()
      await clock.jump(pendingTimeoutMs + past, { nap })
      await offSlot(clock.awake())
      return observe()
    }
    const left = Math.max(0, pendingTimeoutMs - call!.waited())
    await observe(Math.min(left + timing.observeMs, timing.maxWaitMs))
  },
  checks: [
    check(
      'rap-oauth/tool/single-result',
      'sends nothing more when the timeout is over',
      endsEachOnce,
    ),
  ],
})

export const timeoutScenarios = [abandoned, tooLate, afterwards]
