/** Results of every form, and messages that arrive twice. */

import { cite, inconclusive, pass, violation, type Transcript } from '../../../../harness/index.ts'
import {
  check,
  deliversOnce,
  deliversResult,
  ignoresResult,
  invokesOnce,
  keepsPending,
  resultForRightCall,
  surfacesUrl,
  type Judge,
} from '../checks.ts'
import { textResult, type Fields } from '../session.ts'
import { firstGiven, givenIn } from '../told.ts'
import { askedOf, delivered, isAfter, shownWith, watchedAfter } from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const displayed = 'Shown to people only: 3 items.'

const forms: readonly (readonly [string, string, (token: string) => Fields])[] = [
  [
    'error-result',
    'an error as the late result',
    (token) => ({ text: `Error: the authorization was denied by the user (${token}).` }),
  ],
  [
    'content-result',
    'a late result with content instead of text',
    (token) => ({ content: [{ type: 'text', text: `Three items (${token}).` }] }),
  ],
  [
    'extra-fields',
    'a late result with fields that RAP does not name',
    (token) => ({ ...textResult(token), version: 2, meta: { trace: [1, null] }, duration_ms: 12 }),
  ],
]

const formScenarios = forms.map(([id, title, fields]) =>
  scenario({
    id,
    title,
    control: controls.oauth,
    async drive({ converse, observe }) {
      const call = converse().ask()
      await call.awaitInvocation()
      const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
      const result = await call.result('result', fields)
      await call.awaitGiven(result)
      await observe()
      surfaced()
    },
    checks: [
      check(
        id === 'extra-fields'
          ? 'rap-oauth/runtime/accept-extra-fields'
          : 'rap-oauth/runtime/deliver-result',
        `gives ${title} to the model`,
        deliversResult(),
      ),
      check('rap-oauth/runtime/deliver-result-once', 'gives it to the model once', deliversOnce()),
      check(
        'rap-oauth/runtime/result-for-right-call',
        'gives it to the model for its call',
        resultForRightCall(),
      ),
    ],
  }),
)

const displayAs = scenario({
  id: 'display-as',
  title: 'a result that is to be displayed differently',
  control: controls.plain,
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const fields = (token: string): Fields => ({ ...textResult(token), display_as: displayed })
    await call.awaitGiven(await call.result('result', fields))
  },
  checks: [
    check(
      'rap-oauth/runtime/display-as-not-for-model',
      'gives the text to the model, not what is displayed',
      (t) => {
        const result = delivered(t, 'result')
        if (!result) return inconclusive('no tool_result was sent')
        const shown = askedOf(t).find((asked) => givenIn(asked, displayed).length > 0)
        if (shown) {
          return violation(
            'the model got display_as, which is for people',
            { expected: 'the text of the result alone', actual: displayed },
            cite(result.request, shown.step),
          )
        }
        const given = firstGiven(t, result.token)
        if (!given) return inconclusive('the result did not reach the model', cite(result.request))
        return pass('the text alone', cite(result.request, given.asked.step))
      },
    ),
  ],
})

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
  async drive({ converse, observe }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const first = await goOn(call.awaitSurfaced(await call.oauth()))
    const second = await goOn(call.awaitSurfaced(await call.oauth('second-oauth')))
    await observe()
    await call.awaitGiven(await call.result())
    first()
    second()
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
    const usual = control ? shownWhilePending(control).length : 0
    const shown = shownWhilePending(t)
    if (shown.length === 0 || usual === 0) return inconclusive('the URL was not shown')
    if (watchedAfter(t, again.request) === undefined) return inconclusive('it was not watched')
    if (shown.length <= usual) return pass(`shown ${shown.length} times`, cite(...shown))
    return violation(
      'every duplicate of the oauth message is shown to the user again',
      { expected: `shown ${usual} times, as without duplicates`, actual: `${shown.length} times` },
      cite(again.request, ...shown),
    )
  }
}

/** What shows the URL before the result: afterwards a page that changes may show it anew. */
function shownWhilePending(t: Transcript) {
  const url = delivered(t, 'oauth')?.url
  const until = delivered(t, 'result')?.request
  const shown = url === undefined ? [] : shownWith(t, url)
  return shown.filter((event) => !until || isAfter(until, event))
}

export const resultScenarios = [
  ...formScenarios,
  displayAs,
  duplicateOAuth,
  secondOAuth,
  duplicateResult,
  resultAfterCompletion,
]
