/** Tools that do not acknowledge as they should: refusals, failures, resets, and a callback that is faster. */

import { cite, inconclusive, pass, violation, type Transcript } from '../../../../harness/index.ts'
import { check, deliversResult, idsOf, surfacesUrl, type Judge } from '../checks.ts'
import {
  askedOf,
  callOf,
  callsOf,
  isAfter,
  waitedInVain,
  watchedAfter,
  type Asked,
  type CallView,
} from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const untold = 'the model was not told'

/** The first request in which the model gets an answer to its tool call that is no mere status. */
function told(t: Transcript, name = 'call-1'): Asked | undefined {
  const call = callOf(t, name)
  const ids = idsOf(call)
  const [first] = call.invocations
  return askedOf(t).find(
    ({ step, messages }) =>
      first &&
      isAfter(step, first) &&
      messages.some(({ toolResults = [] }) =>
        toolResults.some(({ callId }) => ids.includes(callId)),
      ),
  )
}

const refused = scenario({
  id: 'acknowledged-with-400',
  title: 'the tool refuses the invocation',
  control: controls.plain,
  async drive({ converse, observe }) {
    const call = converse().ask({ acknowledge: () => 400 })
    await call.awaitInvocation()
    await goOn(call.awaitThat(untold, (_, t) => told(t)))
    await observe()
  },
  checks: [
    check('rap-oauth/runtime/no-retry-on-4xx', 'does not invoke again', (t) => {
      const { invocations } = callOf(t)
      const [first, second] = invocations
      if (!first || t.answer(first)?.type !== 'response') return inconclusive('it was not refused')
      if (second) {
        return violation(
          'an invocation that was refused with 400 was sent again',
          { expected: 'one invocation', actual: `${invocations.length}` },
          cite(first, second),
        )
      }
      const watched = watchedAfter(t, first)
      if (watched === undefined) return inconclusive('it was not watched')
      return pass(`one invocation, watched for ${watched} ms`, cite(first))
    }),
    check(
      'rap-oauth/runtime/report-undeliverable',
      'tells the model that the tool refuses',
      tellsModel(),
    ),
  ],
})

/** Noise of a busy machine makes delays longer, never shorter, so one attempt that shows growth is enough. */
const tries = 3

const fails = scenario({
  id: 'acknowledged-with-503',
  title: 'the tool answers 503 three times, then 200',
  control: controls.plain,
  async drive({ converse }) {
    for (let count = 0; count < tries; count += 1) {
      const call = converse().ask({ acknowledge: (nth) => (nth < 3 ? 503 : 200) })
      await call.awaitInvocation()
      await call.awaitThat(untold, ({ invocations, name }, t) => invocations[3] ?? told(t, name))
      const { invocations } = call.seen()
      // Where it was reported instead of retried, there is no call any more that a result could end.
      if (invocations.length > 3) await call.awaitGiven(await call.result())
      if (invocations.length < 3 || grows(gapsOf(invocations))) return
    }
  },
  checks: [
    check('rap-oauth/runtime/retry-on-failure', 'tries again, or tells the model', retries()),
    check('rap-oauth/runtime/retry-with-backoff', 'waits longer each time', (t) => {
      const calls = callsOf(t).filter(({ invocations }) => invocations.length >= 3)
      if (calls.length === 0) return inconclusive('there were not three attempts')
      const growing = calls.find(({ invocations }) => grows(gapsOf(invocations)))
      const { invocations } = growing ?? calls[0]!
      const gaps = gapsOf(invocations).map((gap) => `${Math.round(gap)} ms`)
      const shown = gaps.join(', then ')
      if (growing) return pass(shown, cite(...invocations))
      return violation(
        'retries do not come with growing delays',
        {
          expected: 'a longer delay before the last attempt than before the second',
          actual: shown,
        },
        cite(...invocations),
      )
    }),
  ],
})

const reset = scenario({
  id: 'invocation-reset',
  title: 'the connection to the tool is reset twice, then it answers',
  control: controls.plain,
  async drive({ converse }) {
    const call = converse().ask({ acknowledge: (nth) => (nth < 2 ? 'reset' : 200) })
    await call.awaitInvocation()
    await call.awaitThat(untold, ({ invocations }, t) => invocations[2] ?? told(t))
    if (call.seen().invocations.length > 2) await call.awaitGiven(await call.result())
  },
  checks: [
    check('rap-oauth/runtime/retry-on-failure', 'tries again, or tells the model', retries()),
  ],
})

function gapsOf(invocations: CallView['invocations']): number[] {
  return invocations.slice(1).map((each, index) => each.t - (invocations[index]?.t ?? each.t))
}

function grows(gaps: readonly number[]): boolean {
  const [first = 0] = gaps
  return (gaps.at(-1) ?? 0) >= first * 1.3
}

function retries(): Judge {
  return (t) => {
    const { invocations } = callOf(t)
    const [first, second] = invocations
    if (!first || !t.answer(first)) return inconclusive('the invocation did not fail')
    if (second) return pass(`${invocations.length} attempts`, cite(...invocations))
    const reported = told(t)
    if (reported) return pass('the model was told', cite(first, reported.step))
    const waited = waitedInVain(t, untold)
    if (waited === undefined) return inconclusive('it was not waited for')
    return violation(
      'an invocation that failed leaves the call hanging: retry it, or report it to the model',
      { expected: 'another attempt or an error result', actual: `neither within ${waited} ms` },
      cite(first),
    )
  }
}

const unavailable = scenario({
  id: 'acknowledged-with-503-for-good',
  title: 'the tool answers 503 for good',
  control: controls.plain,
  async drive({ converse, timing }) {
    const call = converse().ask({ acknowledge: () => 503 })
    await call.awaitInvocation()
    const within = Math.min(timing.stepMs * 2, timing.maxWaitMs)
    await call.awaitThat(untold, (_, t) => told(t), within)
  },
  checks: [
    check(
      'rap-oauth/runtime/report-undeliverable',
      'tells the model that the tool cannot be reached',
      tellsModel(),
    ),
  ],
})

const overtaken = scenario({
  id: 'callback-before-acknowledgement',
  title: 'the oauth message arrives before the acknowledgement',
  control: controls.oauth,
  async drive({ converse, observe }) {
    let acknowledge: (status: number) => void = () => undefined
    const held = new Promise<number>((resolve) => (acknowledge = resolve))
    const call = converse().ask({ acknowledge: () => held })
    await call.awaitInvocation()
    const acknowledging = observe().then(() => acknowledge(200))
    const [oauth] = await Promise.all([call.oauth(), acknowledging])
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/surface-auth-url', 'shows the URL all the same', surfacesUrl()),
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
  ],
})

function tellsModel(): Judge {
  return (t) => {
    const { invocations } = callOf(t)
    const first = invocations[0]
    if (!first || !t.answer(first)) return inconclusive('the invocation did not fail')
    const asked = told(t)
    if (asked) return pass('the model was told', cite(first, asked.step))
    const waited = waitedInVain(t, untold)
    if (waited === undefined) return inconclusive('it was not waited for')
    return violation(
      'the model is never told that the invocation could not be delivered',
      { expected: 'an error result for the tool call', actual: `nothing within ${waited} ms` },
      cite(...invocations),
    )
  }
}

export const acknowledgementScenarios = [refused, fails, reset, unavailable, overtaken]
