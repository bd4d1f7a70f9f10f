/** Results of every form, which reach the model whole. */

import {
  inconclusive,
  pass,
  violation,
  type Check,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversOnce, deliversResult, resultForRightCall } from '../judges/given-results.ts'
import { extraFields, quotedCode, textResult, type Fields } from '../vocabulary.ts'
import { firstGiven, says } from '../model-input.ts'
import { askedOf, delivered, show, textOf } from '../view.ts'
import { controls, scenario } from './define.ts'

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Content with two texts and an image between them. */
export function itemsWith(token: string): Fields[] {
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
  readonly checks?: readonly Check<Declared>[]
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
    checks: [
      check(
        'rap-oauth/runtime/represent-images',
        'tells the model of the image',
        representsImage(),
      ),
    ],
  },
  {
    id: 'unicode-result',
    title: 'a result with characters of every length, and those that code gives a meaning',
    fields: (token) => ({
      text: `Drei „Einträge“, 三つ, \u{1F34F}\u{1F34E}\u{1F34A} (${token}): ${quotedCode}`,
    }),
  },
  {
    // RAP Tool Result, Structured Results.
    id: 'json-result',
    title: 'a result whose text is JSON',
    fields: (token) => ({
      text: JSON.stringify({
        text: 'Three items.',
        items: ['one', token],
        total: 2071463,
        filters: [],
        until: null,
        next: 'page-2',
      }),
    }),
  },
  {
    // RAP Tool Result, Display Segments: however long the text, it is not this that the model gets.
    id: 'long-result',
    title: 'a result of more than fifty thousand characters, which is displayed in short',
    fields: (token) => ({
      text: linesWith(token),
      display_as: [{ type: 'text', content: `Listed ${manyLines} items.` }],
    }),
  },
  {
    // RAP Tool Result, Display Segments: the full text. Files, diffs and YAML begin like that.
    id: 'indented-result',
    title: 'a result that begins with an indentation, and is displayed in short',
    fields: (token) => ({
      text: `    - item 1 (${token})\n    - item 2`,
      display_as: [{ type: 'text', content: 'Listed 2 items.' }],
    }),
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
    fields: (token) => ({ ...textResult(token), ...extraFields }),
    requirement: 'rap-oauth/runtime/accept-extra-fields',
  },
]

export const resultFormScenarios = forms.map(
  ({
    id,
    title,
    fields,
    contentType,
    requirement = 'rap-oauth/runtime/deliver-result',
    checks = [],
  }) =>
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
        ...checks,
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

/** The model was given an image, or was told more than the texts beside it. */
function representsImage(): Judge {
  return (t, context) => {
    const judgement = deliversWhole()(t, context)
    const result = delivered(t, 'result')
    const given = result && firstGiven(t, result.token)
    if (judgement.outcome === 'violation')
      return inconclusive('the texts of the content did not reach the model')
    if (judgement.outcome !== 'pass' || !given) return judgement
    if (given.asked.images > 0) return pass('the model was given an image', judgement.evidence)
    const rest = textsOf(result.message).reduce((said, text) => said.replace(text, ''), given.text)
    if (/\p{L}/u.test(rest)) return pass('a text stands in place of the image', judgement.evidence)
    return violation(
      'the image of the content was left out, and nothing tells the model of it',
      { expected: 'an image, or a text in its place', actual: show(given.text.slice(0, 300)) },
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
    .flatMap(partsOf)
    .filter((each) => each !== '')
}

/** What of a text has to reach the model: all of it, or of JSON its strings, its numbers and the names of its members. */
function partsOf(text: string): readonly string[] {
  try {
    return valuesIn(JSON.parse(text))
  } catch {
    return [text]
  }
}

function valuesIn(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(valuesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...valuesIn(member)])
}
