/** Messages that arrive twice, and what comes when their call has its result already. */

import {
  awaitedLater,
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Call } from '../call.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversOnce, deliversResult, ignoresResult } from '../judges/given-results.ts'
import { invokesOnce, keepsPending } from '../judges/pending-calls.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import { textResult } from '../vocabulary.ts'
import { byResult, forgetsUrls } from '../forgetting.ts'
import { readingsOf } from '../../../../harness/parties/host-user/url-in-text.ts'
import { givenToCall } from '../model-input.ts'
import { delivered, isAfter, shownWith, watchedAfter } from '../view.ts'
import { every } from './concurrency.ts'
import { controls, goOn, scenario } from './define.ts'
import { heldBack } from './held-back.ts'

const duplicateOAuth = scenario({
  id: 'duplicate-oauth',
  title: 'the same oauth message three times',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await call.again(oauth, 'oauth-again')
    await call.again(oauth, 'oauth-once-more')
    await observe()
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/idempotent-duplicates', 'shows the URL once', shownAsInControl()),
    check('rap-oauth/runtime/no-invocation-retry', 'does not invoke again', invokesOnce()),
    check('rap-oauth/runtime/keep-call-pending', 'keeps the call pending', keepsPending()),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the late result to the model',
      deliversResult(),
    ),
  ],
})

const secondOAuth = scenario({
  id: 'second-oauth',
  title: 'a second oauth message with another URL',
  control: controls.oauth,
  async drive({ converse, observe, scanStorage }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const first = await call.oauth()
    const firstShown = await goOn(call.awaitSurfaced(first))
    const second = await call.oauth('second-oauth')
    const secondShown = await goOn(call.awaitSurfaced(second))
    await observe()
    await call.awaitGiven(await call.result())
    await conversation.awaitModel(conversation.say())
    await scanStorage([first.token, second.token])
    firstShown()
    secondShown()
  },
  checks: [
    check(
      'rap-oauth/runtime/surface-auth-url',
      'shows the URL that is valid now',
      surfacesUrl('second-oauth'),
    ),
    check('rap-oauth/runtime/no-invocation-retry', 'does not invoke again', invokesOnce()),
    check('rap-oauth/runtime/keep-call-pending', 'keeps the call pending', keepsPending()),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the late result to the model',
      deliversResult(),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'keeps nothing of either URL when the call has completed',
      forgetsUrls(byResult, { names: ['oauth', 'second-oauth'], scanned: true }),
    ),
  ],
})

const duplicateResult = scenario({
  id: 'duplicate-result',
  title: 'the same tool_result three times',
  control: controls.plain,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const result = await call.result()
    await call.awaitGiven(result)
    await call.deliver('result-again', { type: 'tool_result', ...textResult(result.token) })
    await call.deliver('result-once-more', { type: 'tool_result', ...textResult(result.token) })
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/idempotent-duplicates',
      'gives the result to the model once',
      deliversOnce(),
    ),
  ],
})

const duplicateWhileAnswering = scenario({
  id: 'duplicate-while-answering',
  title: 'the same tool_result three times, before the model has answered the first',
  control: controls.plain,
  async drive({ converse, observe }) {
    const { held, release } = heldBack()
    const conversation = converse()
    const call = conversation.ask({ thenUntil: held })
    await call.awaitInvocation()
    const token = call.token('result')
    const message = { type: 'tool_result', ...textResult(token) }
    const send = (name: string): Promise<void> =>
      awaitedLater(call.deliver(name, message, { token, redelivers: true }))
    // A runtime may take its time for the answer to a callback, so that is not waited for.
    const sending = [send('result')]
    const given = await goOn(call.awaitGiven({ name: 'result', token, url: '' }))
    sending.push(send('result-again'), send('result-once-more'))
    await observe(release)
    await Promise.all(sending)
    await observe()
    given()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/idempotent-duplicates',
      'gives the result to the model once',
      deliversOnce(),
    ),
  ],
})

const duplicateWhileBusy = scenario({
  id: 'duplicate-while-busy',
  title: 'the same tool_result three times while the model answers something else',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
    const { held, release } = heldBack()
    const talking = await goOn(conversation.awaitModel(conversation.say({ delayUntil: held })))
    const token = call.token('result')
    const sending = ['result', 'result-again', 'result-once-more'].map((name) =>
      call.deliver(
        name,
        { type: 'tool_result', ...textResult(token) },
        { token, redelivers: true },
      ),
    )
    await observe(release)
    await Promise.all(sending)
    await call.awaitGiven({ name: 'result', token, url: '' })
    await observe()
    surfaced()
    talking()
  },
  checks: [
    check(
      'rap-oauth/runtime/idempotent-duplicates',
      'gives the result to the model once, however busy it is',
      deliversOnce(),
    ),
  ],
})

/** Ids tell results apart, not words (RAP Tool Result, Routing): "Error: access was denied." is the result of many a call. */
const equalResults = scenario({
  id: 'equal-results',
  title: 'results of the same words for calls of two users, and for a later call of the first',
  control: controls.plain,
  async drive({ converse }) {
    const [own, other] = [converse(), converse()]
    const [first, second] = [own.ask(), other.ask()]
    await Promise.all([first.awaitInvocation(), second.awaitInvocation()])
    const token = first.token('result')
    const complete = async (call: Call): Promise<() => void> => {
      const message = { type: 'tool_result', ...textResult(token) }
      await call.deliver('result', message, { token, redelivers: true })
      return goOn(call.awaitOwnGiven({ name: 'result' }))
    }
    const given = [await complete(first), await complete(second)]
    const third = own.ask()
    await third.awaitInvocation()
    given.push(await complete(third))
    for (const each of given) each()
  },
  checks: [
    check(
      'rap-oauth/runtime/deliver-result',
      'gives each of them to the model as the result of its call',
      every((call) => deliversResult('result', call, givenToCall), 3),
    ),
  ],
})

const resultAfterCompletion = scenario({
  id: 'result-after-completion',
  title: 'another result for a call that has completed',
  control: controls.plain,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await call.awaitGiven(await call.result())
    const token = call.token('forged')
    await call.deliver(
      'late',
      { type: 'tool_result', text: `Another result (${token}).` },
      { token },
    )
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/discard-unmatched-result',
      'discards a result for a call that has completed',
      ignoresResult('late'),
    ),
  ],
})

/** A surface may show one URL in several places; a duplicate must not add to them. */
function shownAsInControl(): Judge {
  return (t, { control }) => {
    const again = delivered(t, 'oauth-once-more')
    if (!again?.answer) return inconclusive('the duplicates were not sent')
    const usual = control ? timesShown(control) : 0
    const shown = shownWhilePending(t)
    const times = timesShown(t)
    if (times === 0 || usual === 0) return inconclusive('the URL was not shown')
    if (watchedAfter(t, again.request) === undefined)
      return inconclusive('the run did not watch long enough')
    if (times <= usual) return pass(`shown ${times} times`, cite(...shown))
    return violation(
      'every duplicate of the oauth message is shown to the user again',
      { expected: `shown ${usual} times, as without duplicates`, actual: `${times} times` },
      cite(again.request, ...shown),
    )
  }
}

/** How often the URL is shown; a page that is looked at again and again shows it as often as it stands on it at once. */
function timesShown(t: Transcript): number {
  const token = delivered(t, 'oauth')?.token ?? ''
  const shown = shownWhilePending(t)
  const pages = shown.filter(({ whole }) => whole)
  const onPages = pages.flatMap(({ text }) =>
    readingsOf(text).map((reading) => reading.split(token).length - 1),
  )
  return shown.length - pages.length + Math.max(0, ...onPages)
}

/** What shows the URL before the result: afterwards a page that changes may show it anew. */
function shownWhilePending(t: Transcript) {
  const url = delivered(t, 'oauth')?.url
  const until = delivered(t, 'result')?.request
  const shown = url === undefined ? [] : shownWith(t, url)
  return shown.filter((event) => !until || isAfter(until, event))
}

export const repetitionScenarios = [
  duplicateOAuth,
  secondOAuth,
  duplicateResult,
  duplicateWhileAnswering,
  duplicateWhileBusy,
  equalResults,
  resultAfterCompletion,
]
