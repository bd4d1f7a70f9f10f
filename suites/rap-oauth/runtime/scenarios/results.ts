/** Results of every form, and what of them is for the model. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import {
  acceptsCallback,
  answerText,
  check,
  deliversOnce,
  deliversResult,
  invokesOnce,
  notDelivered,
  reached,
  resultForRightCall,
  type Judge,
} from '../checks.ts'
import { textResult, waits, type Fields } from '../vocabulary.ts'
import { byResult, forgetsUrls } from '../forgetting.ts'
import { askedAfter, firstGiven, givenIn, says } from '../model-input.ts'
import { stringsIn } from '../../../../harness/parties/host-user/url-in-text.ts'
import { askedOf, callOf, delivered, show, textOf, waitedInVain } from '../view.ts'
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

/** Below what any model takes, and a good deal above what a runtime might like to cut it to. */
const manyLines = 1200

/** Lines with indentation, as of a file, whose last is as good as the first. */
function linesWith(token: string): string {
  const lines = Array.from(
    { length: manyLines },
    (_, index) =>
      `${' '.repeat(index % 5)}- item ${index + 1}, from shelf\t${(index * 7919) % 10_007}, in good order`,
  )
  return [`What there is (${token}):`, '', ...lines, `End of the list (${token}).`].join('\n')
}

interface Form {
  readonly id: string
  readonly title: string
  readonly fields: (token: string) => Fields
  readonly contentType?: string
  readonly requirement?: string
}

const forms: readonly Form[] = [
  {
    id: 'error-result',
    title: 'an error as the result',
    fields: (token) => ({ text: `Error: the service knows no such list (${token}).` }),
  },
  {
    id: 'content-result',
    title: 'a result with content',
    fields: (token) => ({ content: itemsWith(token) }),
  },
  {
    id: 'unicode-result',
    title: 'a result with characters of every length',
    fields: (token) => ({ text: `Drei Einträge, 三つ, \u{1F34F}\u{1F34E}\u{1F34A} (${token}).` }),
  },
  {
    // RAP Tool Result, Structured Results.
    id: 'json-result',
    title: 'a result whose text is JSON',
    fields: (token) => ({
      text: JSON.stringify({ text: 'Three items.', items: ['one', token], next: 'page-2' }),
    }),
  },
  {
    id: 'long-result',
    title: 'a result of more than fifty thousand characters',
    fields: (token) => ({ text: linesWith(token) }),
  },
  {
    id: 'result-with-charset',
    title: 'a result sent as application/json; charset=utf-8',
    fields: textResult,
    contentType: 'application/json; charset=utf-8',
  },
  {
    id: 'extra-fields',
    title: 'a result with fields that RAP does not name',
    fields: (token) => ({
      ...textResult(token),
      version: 2,
      meta: { trace: [1, null] },
      duration_ms: 12,
    }),
    requirement: 'rap-oauth/runtime/accept-extra-fields',
  },
]

const formScenarios = forms.map(
  ({ id, title, fields, contentType, requirement = 'rap-oauth/runtime/deliver-result' }) =>
    scenario({
      id,
      title,
      control: controls.plain,
      async drive({ converse, observe }) {
        const call = converse().ask()
        await call.awaitInvocation()
        await call.awaitGiven(await call.result('result', fields, contentType))
        await observe()
      },
      checks: [
        check(requirement, `gives ${title} to the model`, deliversWhole()),
        check(
          'rap-oauth/runtime/deliver-result-once',
          'gives it to the model once',
          deliversOnce(),
        ),
        check(
          'rap-oauth/runtime/result-for-right-call',
          'gives it to the model as the answer to its call',
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
    const came = partSaid(t, missing)
    return violation(
      'content' in result.message
        ? 'of the content of the tool_result only a part reached the model: build the result from all its items'
        : 'the model got another text than that of the tool_result: pass on every character as it came',
      came > 0
        ? {
            expected: `all ${missing.length} characters of the text`,
            actual: `the first ${came}; after them ${show(missing.slice(came, came + 60))} should come`,
          }
        : { expected: missing, actual: show(given.text.slice(0, 300)) },
      judgement.evidence,
    )
  }
}

/** Shortest beginning of a text that is worth telling. */
const telling = 40

/** How many characters of a long text reached the model from its beginning on. */
function partSaid(t: Transcript, text: string): number {
  const asked = askedOf(t)
  const came = (length: number): boolean => asked.some((each) => says(each, text.slice(0, length)))
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (came(middle)) least = middle
    else most = middle - 1
  }
  return least < telling ? 0 : least
}

/** A text that is JSON may be written down anew for the model, if nothing of it is lost. */
function textsOf({ text, content }: Fields): string[] {
  const items = Array.isArray(content) ? (content as Record<string, unknown>[]) : [{ text }]
  return items
    .map((item) => textOf(item['text']))
    .flatMap((each) => stringsIn(each) ?? each)
    .filter((each) => each !== '')
}

const emptyResult = scenario({
  id: 'empty-result',
  title: 'a result whose text is empty',
  control: controls.plain,
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    await call.awaitTurnAfter(await call.result('result', () => ({ text: '' })))
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'goes on with an empty result', (t) => {
      const result = delivered(t, 'result')
      if (!result?.request || !reached(result)) return notDelivered(result, 'tool_result')
      const asked = askedAfter(t, callOf(t), result)
      if (asked) return pass('the model was asked', cite(result.request, asked.step))
      const waited = waitedInVain(t, waits.given)
      if (waited === undefined)
        return inconclusive('the run did not wait for it', cite(result.request))
      return violation(
        'a tool_result whose text is empty did not end the call: an empty text is a text',
        {
          expected: 'a request to the model',
          actual: `none within ${waited} ms after its answer (${answerText(result)})`,
        },
        cite(result.request, result.answer),
      )
    }),
  ],
})

/** Bytes of an image as tools read them from files; in base64 a third more. */
const imageBytes = 150_000

const largeResult = scenario({
  id: 'large-result',
  title: 'a result with an image of 150 kilobytes',
  control: controls.plain,
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const image = [Buffer.from(pixel, 'base64'), Buffer.alloc(imageBytes)]
    const data = Buffer.concat(image).toString('base64')
    await call.awaitGiven(
      await call.result('result', (token) => ({
        content: [
          { type: 'text', text: `Read image file "attic.png" (${token}).` },
          { type: 'image', data, mediaType: 'image/png' },
        ],
      })),
    )
  },
  checks: [
    check(
      'rap-oauth/runtime/accept-valid-callback',
      'accepts a result with an image',
      acceptsCallback('result'),
    ),
  ],
})

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

export const resultScenarios = [
  ...formScenarios,
  emptyResult,
  largeResult,
  deniedResult,
  contentOverText,
  ...displays,
]
