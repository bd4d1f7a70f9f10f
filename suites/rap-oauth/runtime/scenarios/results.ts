/** Results of every form, and messages that arrive twice. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import {
  answerText,
  check,
  deliversOnce,
  deliversResult,
  ignoresResult,
  invokesOnce,
  keepsPending,
  reached,
  resultForRightCall,
  surfacesUrl,
  type Judge,
} from '../checks.ts'
import { textResult, waits, type Fields } from '../vocabulary.ts'
import { byResult, forgetsUrls } from '../forgetting.ts'
import { firstGiven, givenIn, says } from '../model-input.ts'
import {
  askedOf,
  delivered,
  isAfter,
  show,
  shownWith,
  textOf,
  waitedInVain,
  watchedAfter,
} from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const displayed = 'Shown to people only: 3 items.'

/** RAP Tool Result, Display Segments: the first that a user interface supports is shown. */
const display_as = [
  { type: 'diff', content: { path: 'items.txt', patch: '--- items.txt\n+++ items.txt\n' } },
  { type: 'text', content: displayed },
]

const superseded = 'The short form, which the content supersedes.'
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function itemsWith(token: string): Fields[] {
  return [
    { type: 'text', text: 'First comes what was found in the attic.' },
    { type: 'image', data: pixel, mediaType: 'image/png' },
    { type: 'text', text: `Then three items from the cellar (${token}).` },
  ]
}

const forms: readonly (readonly [string, string, (token: string) => Fields])[] = [
  [
    'error-result',
    'an error as the result',
    (token) => ({ text: `Error: the service knows no such list (${token}).` }),
  ],
  ['content-result', 'a result with content', (token) => ({ content: itemsWith(token) })],
  [
    'unicode-result',
    'a result with characters of every length',
    (token) => ({ text: `Drei Einträge, 三つ, \u{1F34F}\u{1F34E}\u{1F34A} (${token}).` }),
  ],
  [
    'extra-fields',
    'a result with fields that RAP does not name',
    (token) => ({ ...textResult(token), version: 2, meta: { trace: [1, null] }, duration_ms: 12 }),
  ],
]

const formScenarios = forms.map(([id, title, fields]) =>
  scenario({
    id,
    title,
    control: controls.plain,
    async drive({ converse, observe }) {
      const call = converse().ask()
      await call.awaitInvocation()
      await call.awaitGiven(await call.result('result', fields))
      await observe()
    },
    checks: [
      check(
        id === 'extra-fields'
          ? 'rap-oauth/runtime/accept-extra-fields'
          : 'rap-oauth/runtime/deliver-result',
        `gives ${title} to the model`,
        deliversWhole(),
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

/** The text, or every text of the content, reached the model as it came, wherever it stands there. */
function deliversWhole(): Judge {
  return (t, context) => {
    const judgement = deliversResult()(t, context)
    const result = delivered(t, 'result')
    const given = result && firstGiven(t, result.token)
    if (judgement.outcome !== 'pass' || !given) return judgement
    const missing = textsOf(result.message).find(
      (text) => !askedOf(t).some((asked) => says(asked, text)),
    )
    if (missing === undefined) return judgement
    return violation(
      'content' in result.message
        ? 'of the content of the tool_result only a part reached the model: build the result from all its items'
        : 'the model got another text than that of the tool_result: pass on every character as it came',
      { expected: missing, actual: show(given.text.slice(0, 300)) },
      judgement.evidence,
    )
  }
}

function textsOf({ text, content }: Fields): string[] {
  const items = Array.isArray(content) ? (content as Record<string, unknown>[]) : [{ text }]
  return items.map((item) => textOf(item['text'])).filter((each) => each !== '')
}

const deniedResult = scenario({
  id: 'error-after-oauth',
  title: 'an error as the result of a call that waited for its user',
  control: controls.oauth,
  async drive({ converse, observe, scanStorage }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    const denied = (token: string): Fields => ({
      text: `Error: the authorization was denied by the user (${token}).`,
    })
    const given = await goOn(call.awaitGiven(await call.result('result', denied)))
    await observe()
    await conversation.awaitModel(conversation.say())
    await scanStorage([oauth.token])
    surfaced()
    given()
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'gives the error to the model', deliversResult()),
    check(
      'rap-oauth/runtime/no-invocation-retry',
      'does not invoke again because of the error',
      invokesOnce(),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'keeps nothing of the URL when the call has failed',
      forgetsUrls(byResult, { scanned: true }),
    ),
  ],
})

const contentOverText = scenario({
  id: 'content-and-text',
  title: 'a result with both text and content',
  control: controls.plain,
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const fields = (token: string): Fields => ({ text: superseded, content: itemsWith(token) })
    await call.awaitGiven(await call.result('result', fields))
  },
  checks: [
    check(
      'rap-oauth/runtime/content-supersedes-text',
      'gives the content to the model, not the text',
      modelGetsNothingOf(superseded, 'the model got text although there was content'),
    ),
  ],
})

const displayForms = [
  ['display-as', 'a result that is to be displayed differently', textResult],
  [
    'display-as-with-content',
    'a result with content that is to be displayed differently',
    (token: string) => ({ content: itemsWith(token) }),
  ],
] as const

const displays = displayForms.map(([id, title, fields]) =>
  scenario({
    id,
    title,
    control: controls.plain,
    async drive({ converse }) {
      const call = converse().ask()
      await call.awaitInvocation()
      const shown = (token: string): Fields => ({ ...fields(token), display_as })
      await call.awaitGiven(await call.result('result', shown))
    },
    checks: [
      check(
        'rap-oauth/runtime/display-as-not-for-model',
        'gives the result to the model, not what is displayed',
        modelGetsNothingOf(displayed, 'the model got display_as, which is for people'),
      ),
    ],
  }),
)

/** The result reached the model, and this part of the message did not. */
function modelGetsNothingOf(part: string, otherwise: string): Judge {
  return (t) => {
    const result = delivered(t, 'result')
    if (!result) return inconclusive('no tool_result was sent')
    const wrong = askedOf(t).find((asked) => givenIn(asked, part).length > 0)
    if (wrong) {
      const difference = { expected: 'the result without it', actual: part }
      return violation(otherwise, difference, cite(result.request, wrong.step))
    }
    const given = firstGiven(t, result.token)
    const waited = waitedInVain(t, waits.given)
    const what = `the result, answered ${answerText(result)}, did not reach the model`
    if (!given && reached(result) && waited !== undefined) {
      const difference = { expected: 'the result', actual: `nothing of it within ${waited} ms` }
      return violation(what, difference, cite(result.request, result.answer))
    }
    if (!given) return inconclusive(what, cite(result.request))
    return pass('nothing of it', cite(result.request, given.asked.step))
  }
}

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
    let answer = (): void => undefined
    const thenUntil = new Promise<void>((resolve) => (answer = resolve))
    const conversation = converse()
    const call = conversation.ask({ thenUntil })
    await call.awaitInvocation()
    const token = call.token('result')
    const send = (name: string): Promise<void> =>
      call.deliver(name, { type: 'tool_result', ...textResult(token) }, { token })
    // A runtime may take its time for the answer to a callback, so that is not waited for.
    const sending = [send('result')]
    const given = await goOn(call.awaitGiven({ name: 'result', token, url: '' }))
    sending.push(send('result-again'), send('result-once-more'))
    await observe(answer)
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
    let answer = (): void => undefined
    const delayUntil = new Promise<void>((resolve) => (answer = resolve))
    const talking = await goOn(conversation.awaitModel(conversation.say({ delayUntil })))
    const token = call.token('result')
    const sending = ['result', 'result-again', 'result-once-more'].map((name) =>
      call.deliver(name, { type: 'tool_result', ...textResult(token) }, { token }),
    )
    await observe(answer)
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
  deniedResult,
  contentOverText,
  ...displays,
  duplicateOAuth,
  secondOAuth,
  duplicateResult,
  duplicateWhileAnswering,
  duplicateWhileBusy,
  resultAfterCompletion,
]
