import { longestAnswer } from '../../../oauth-client/judges.ts'
import {
  cite,
  inconclusive,
  pass,
  Unreached,
  violation,
  gaveUpAfter,
  mark,
  watched,
} from '../../../../harness/engine/index.ts'
import { check, singleResult } from '../checks.ts'
import type { Call } from '../session.ts'
import { callOf, citeMessages } from '../view.ts'
import type { Fixtures } from '../test-bed.ts'
import { scenario } from './define.ts'

/** Waits for the pending timeout, if one is declared and the run may wait that long. */
async function waitForTimeout(
  call: Call,
  { pendingTimeoutMs, timing, observe }: Fixtures,
): Promise<void> {
  if (pendingTimeoutMs === undefined) return observe()
  const longest = pendingTimeoutMs + timing.graceMs
  if (longest > timing.maxWaitMs) {
    throw new Unreached(
      `the declared pendingTimeout of ${pendingTimeoutMs} ms is longer than the run may wait (timing.maxWait, ${timing.maxWaitMs} ms)`,
    )
  }
  await call.ended(longest + timing.stepMs)
}

const abandoned = scenario({
  id: 'abandoned-consent',
  title: 'the user opens the consent page and walks away',
  control: 'authorize-and-complete',
  async drive(fixtures) {
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
          if (watched(t) === undefined) return inconclusive('nobody watched whether it ends')
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
          if ((gaveUpAfter(t, call.name) ?? 0) < allowed)
            return inconclusive('the declared timeout was not waited for')
          return violation(
            'the call is still pending after the declared timeout',
            {
              expected: `a tool_result within ${declared.pendingTimeoutMs} ms (and ${timing.graceMs} ms of grace)`,
              actual: 'none',
            },
            [...cite(call.request), ...citeMessages(oauth)],
          )
        }
        const took = Math.round(result.event.t - oauth.event.t)
        if (took <= allowed) return pass(`ended after ${took} ms`, citeMessages(oauth, result))
        if (took - allowed < 4 * longestAnswer(call, t))
          return inconclusive(
            'too slow to be told from a late timeout',
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
  async drive(fixtures) {
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

const afterwards = scenario({
  id: 'completed-before-timeout',
  title: 'the user approves in time, and the pending timeout passes',
  control: 'authorize-and-complete',
  async drive(fixtures) {
    const { tool, user, observe, pendingTimeoutMs = 0, timing } = fixtures
    const call = tool.invoke({ as: user })
    await user.approve(call)
    await call.ended()
    // The timeout ran from the invocation on, so what it sends comes well before this window ends.
    await observe(Math.min(pendingTimeoutMs + timing.observeMs, timing.maxWaitMs))
  },
  checks: [
    check(
      'rap-oauth/tool/single-result',
      'sends nothing more when the timeout is over',
      singleResult(),
    ),
  ],
})

export const timeoutScenarios = [abandoned, tooLate, afterwards]
