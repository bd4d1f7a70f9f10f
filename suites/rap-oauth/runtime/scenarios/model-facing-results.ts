/** What of a result is for the model, and what is not. */

import { cite, inconclusive, pass, violation } from '../../../../harness/engine/index.ts'
import { answerText, reached } from '../judges/answers.ts'
import { check, type Judge } from '../judges/check.ts'
import { textResult, waits, type Fields } from '../vocabulary.ts'
import { firstGiven, givenIn } from '../model-input.ts'
import { askedOf, delivered, textOf, waitedInVain } from '../view.ts'
import { controls, scenario, type RuntimeScenario } from './define.ts'
import { itemsWith } from './result-forms.ts'

const displayed = 'Shown to people only: 3 items.'

/** RAP Tool Result, Display Segments: the first that a user interface supports is shown. */
const display_as = [
  { type: 'diff', content: { path: 'items.txt', patch: '--- items.txt\n+++ items.txt\n' } },
  { type: 'text', content: displayed },
]

const superseded = 'The short form, which the content supersedes.'

const contentOverText = scenario({
  id: 'content-and-text',
  title: 'a result with both text and content',
  control: controls.plain,
  drive: withLaterTurn((token) => ({ text: superseded, content: itemsWith(token) })),
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
    drive: withLaterTurn((token) => ({ ...fields(token), display_as })),
    checks: [
      check(
        'rap-oauth/runtime/display-as-not-for-model',
        'gives the result to the model, not what is displayed',
        modelGetsNothingOf(displayed, 'the model got display_as, which is for people'),
      ),
    ],
  }),
)

/** The result reaches the model, and then its user says something else: the history that is kept may be the one for people. */
function withLaterTurn(fields: (token: string) => Fields): RuntimeScenario['drive'] {
  return async ({ converse }) => {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await call.awaitGiven(await call.result('result', fields))
    await conversation.awaitTurn(conversation.say())
  }
}

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
    const [said] = t.steps('say')
    const later = said && firstGiven(t, textOf(said.detail['reference']))
    if (!later) return inconclusive('the model was not asked afterwards', cite(given.asked.step))
    const evidence = cite(result.request, given.asked.step, later.asked.step)
    return pass('nothing of it, then and later', evidence)
  }
}

export const modelFacingScenarios = [contentOverText, ...displays]
