/** Callbacks that are faster than the acknowledgement of their invocation. */

import { cite, inconclusive, pass, violation } from '../../../../harness/engine/index.ts'
import type { ModelToolResult } from '../../../../harness/parties/index.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversOnce, deliversResult } from '../judges/given-results.ts'
import { invokesOnce } from '../judges/pending-calls.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import { claimedBy } from '../pending-notice.ts'
import { givenIn } from '../model-input.ts'
import { textResult } from '../vocabulary.ts'
import {
  askedOf,
  callOf,
  delivered,
  idsOf,
  isAfter,
  show,
  statusOf,
  textOf,
  type Asked,
} from '../view.ts'
import { controls, goOn, scenario } from './define.ts'
import { heldBack, waitUpTo } from './held-back.ts'

const acknowledgements = [
  ['callback-before-acknowledgement', 'the oauth message arrives before the acknowledgement', 200],
  [
    'callback-before-failure',
    'the oauth message arrives, then the invocation is answered 502',
    502,
  ],
] as const

const byOAuth = acknowledgements.map(([id, title, status]) =>
  scenario({
    id,
    title,
    control: controls.oauth,
    async drive({ converse, observe, timing }) {
      const { held, release } = heldBack<number>()
      const call = converse().ask({ acknowledge: (nth) => (nth === 0 ? held : 200) })
      await call.awaitInvocation()
      const message = call.oauth()
      await waitUpTo(timing.stepMs, message)
      const [oauth] = await Promise.all([message, observe(() => release(status))])
      const surfaced = await goOn(call.awaitSurfaced(oauth))
      await call.awaitGiven(await call.result())
      surfaced()
    },
    checks: [
      check('rap-oauth/runtime/surface-auth-url', 'still shows the URL', surfacesUrl()),
      check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
      check(
        'rap-oauth/runtime/no-invocation-retry',
        'does not invoke again: who calls back has been reached',
        onceTaken(invokesOnce()),
      ),
    ],
  }),
)

/** An invocation that failed may be sent again where the tool has not called back: its message was refused, or came later. */
function onceTaken(judge: Judge): Judge {
  return (t, context) => {
    const oauth = delivered(t, 'oauth')
    const status = oauth && statusOf(oauth)
    if (status !== undefined && status >= 300) return inconclusive('the oauth message was refused')
    const [invocation] = callOf(t).invocations
    const answer = invocation && t.answer(invocation)
    const failed = answer && !(answer.type === 'response' && answer.status < 300)
    return failed && oauth && !isAfter(answer, oauth.answer)
      ? inconclusive('the invocation failed before the oauth message was answered')
      : judge(t, context)
  }
}

const byResult = scenario({
  id: 'result-before-acknowledgement',
  title: 'the result arrives before the acknowledgement, and once more after it',
  control: controls.plain,
  async drive({ converse, observe }) {
    const { held, release } = heldBack<number>()
    const conversation = converse()
    const call = conversation.ask({ acknowledge: () => held })
    await call.awaitInvocation()
    const [result] = await Promise.all([call.result(), observe(() => release(200))])
    await call.awaitGiven(result)
    // By then the acknowledgement has arrived.
    await conversation.awaitModel(conversation.say())
    await call.deliver('result-again', { type: 'tool_result', ...textResult(result.token) })
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
    check(
      'rap-oauth/runtime/idempotent-duplicates',
      'gives it to the model once: the late acknowledgement does not open the call again',
      deliversOnce(),
    ),
  ],
})

const thenFailed = scenario({
  id: 'result-before-failure',
  title: 'the result arrives, then the invocation is answered 502',
  control: controls.plain,
  async drive({ converse, observe, timing }) {
    const { held, release } = heldBack<number>()
    const conversation = converse()
    const call = conversation.ask({ acknowledge: (nth) => (nth === 0 ? held : 200) })
    await call.awaitInvocation()
    const message = call.result()
    await waitUpTo(timing.stepMs, message)
    const [result] = await Promise.all([message, observe(() => release(502))])
    await call.awaitGiven(result)
    await observe()
    await conversation.awaitTurn(conversation.say())
  },
  checks: [check('rap-oauth/runtime/deliver-result', 'keeps the result', keepsResult())],
})

/** What became of the invocation does not take the place of a result that the model has (RAP Tool Result, Routing). */
function keepsResult(): Judge {
  return (t, context) => {
    const judgement = deliversResult()(t, context)
    const result = delivered(t, 'result')
    const call = callOf(t)
    const failed = call.invocations[0] && t.answer(call.invocations[0])
    if (judgement.outcome !== 'pass' || !result) return judgement
    if (failed?.type !== 'response') return inconclusive('the invocation was not answered')
    const later = askedOf(t, call.conversation).filter(({ step }) => isAfter(step, failed))
    const claim = later
      .flatMap((asked) => resultsOf(asked, idsOf(call, asked)))
      .find(
        ({ text, isError }) =>
          !text.includes(result.token) && claimedBy(text, isError, undefined) === 'an error',
      )
    const evidence = [...judgement.evidence, ...cite(failed, later.at(-1)?.step)]
    if (claim) {
      return violation(
        'the answer to the invocation took the place of the result, which had come before it',
        { expected: 'the result', actual: show(claim.text.slice(0, 300)) },
        evidence,
      )
    }
    const [said] = t.steps('say')
    const heard = later.some(
      (asked) => givenIn(asked, textOf(said?.detail['reference'])).length > 0,
    )
    return heard ? pass('then and later', evidence) : inconclusive('the model was not asked later')
  }
}

/** What a request says in answer to a tool call that has one of these ids. */
function resultsOf({ messages }: Asked, ids: readonly string[]): readonly ModelToolResult[] {
  return messages
    .flatMap(({ toolResults = [] }) => toolResults)
    .filter(({ callId }) => ids.includes(callId))
}

export const overtakenScenarios = [...byOAuth, byResult, thenFailed]
