import { describeExamples } from '../../../testing.ts'
import { quotedCode, waits } from '../vocabulary.ts'
import {
  options,
  recording,
  tokenOf,
  type Asking,
  type Cases,
  type Ending,
  type Recording,
} from '../testing.ts'
import { modelFacingScenarios } from './model-facing-results.ts'
import { itemsWith, resultFormScenarios } from './result-forms.ts'
import { resultScenarios } from './results.ts'
import {
  accepted,
  delivered,
  deliveredOnce,
  forgotten,
  forRightCall,
  invokedOnce,
} from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const displayed = 'Shown to people only: 3 items.'
const superseded = 'The short form, which the content supersedes.'

const form = {
  'rap-oauth/runtime/deliver-result': delivered,
  'rap-oauth/runtime/deliver-result-once': deliveredOnce,
  'rap-oauth/runtime/result-for-right-call': forRightCall,
}

/** A result that begins with an indentation, and what the model got of it. */
const indentedAs = (change: (text: string) => string): Recording => {
  const token = tokenOf('result', 1)
  const text = `    - item 1 (${token})\n    - item 2`
  const t = recording().running()
  t.deliver('result', { type: 'tool_result', text }, { token })
  return t.answer(change(text)).model()
}

const indented: Cases = {
  pass: {
    'as it is': indentedAs((text) => text),
    'in an object': indentedAs((text) => JSON.stringify({ result: text })),
    'after other words': indentedAs((text) => `The tool says:\n${text}\nThat is all.`),
  },
  violation: { 'without its indentation': indentedAs((text) => text.trim()) },
  inconclusive: { 'no result': recording().running() },
}

/** A result whose content has two texts, of which the model got these. */
const contents = (...got: readonly string[]): Recording => {
  const token = tokenOf('result', 1)
  const texts = ['What was in the attic.', `What was in the cellar (${token}).`]
  const content = texts.map((text) => ({ type: 'text', text }))
  const t = recording().running()
  t.deliver('result', { type: 'tool_result', content }, { token })
  const chosen = texts.filter((text) => got.some((part) => text.includes(part)))
  return chosen.length > 0 ? t.answer(chosen.join('\n')).model() : t.gaveUp(waits.given)
}

/** A result with two texts and an image, of which the model got this. */
const pictured = (text: string, asking: Asking = {}): Recording => {
  const token = tokenOf('result', 1)
  const t = recording().running()
  t.deliver('result', { type: 'tool_result', content: itemsWith(token) }, { token })
  const [first, , last] = itemsWith(token)
  return t.answer(`${String(first?.['text'])}\n${text}${String(last?.['text'])}`).model(asking)
}

const images: Cases = {
  pass: {
    'a text stands in its place': pictured('[image: image/png]\n'),
    'the model was given an image': pictured('', { images: 1 }),
  },
  violation: { 'the texts alone': pictured('') },
  inconclusive: {
    ...never,
    'the texts did not come either': recording().running().result().gaveUp(waits.given),
  },
}

const whole: Cases = {
  ...delivered,
  pass: { ...delivered.pass, 'all of its items': contents('attic', 'cellar') },
  violation: { ...delivered.violation, 'the last item alone': contents('cellar') },
}

/** A result in letters of every length, which the model got like this. */
const spelt = (as: (text: string) => string): Recording => {
  const token = tokenOf('result', 1)
  const text = `„Einträge“, 三つ, \u{1F34F} (${token}): ${quotedCode}`
  const t = recording().running()
  return t.deliver('result', { type: 'tool_result', text }, { token }).answer(as(text)).model()
}

const escaped = (text: string): string =>
  JSON.stringify({ result: text }).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const inMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const letters: Cases = {
  ...delivered,
  pass: {
    ...delivered.pass,
    'as it came': spelt((text) => text),
    'among other words': spelt((text) => `<result>\n${text}\n</result>`),
    'in JSON, with escapes': spelt(escaped),
    'in JSON among other words': spelt((text) => `Result: ${escaped(text)}.`),
    'with the escapes of markup': spelt((text) => `<result>${inMarkup(text)}</result>`),
    'in another normal form': spelt((text) => text.normalize('NFD')),
  },
  violation: {
    ...delivered.violation,
    'with question marks': spelt((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
    'in another encoding': spelt((text) => Buffer.from(text).toString('latin1')),
    'as a replacement': spelt((text) => '?'.replace('?', text)),
    'without what a template fills in': spelt((text) => text.replace(/\{\{.*?\}\}/g, '')),
    'as a format': spelt((text) => text.replaceAll('%%', '%')),
    'without its tags': spelt((text) => text.replace(/<[^>]*>/g, '')),
    'with the escapes of markup undone': spelt((text) => text.replaceAll('&lt;', '<')),
    'with the escapes of JSON undone': spelt((text) => text.replaceAll('\\n', '\n')),
    'with plain quotation marks': spelt((text) => text.replace(/[„“]/g, '"')),
  },
}

/** A long result, which the model got like this. */
const lengthy = (as: (text: string) => string): Recording => {
  const token = tokenOf('result', 1)
  const lines = Array.from({ length: 1200 }, (_, index) => `  - item ${index}\tof the list`)
  const text = [`First (${token})`, '', ...lines, 'Last.'].join('\n')
  const t = recording().running()
  return t.deliver('result', { type: 'tool_result', text }, { token }).answer(as(text)).model()
}

const long: Cases = {
  ...delivered,
  pass: {
    ...delivered.pass,
    'as it came': lengthy((text) => text),
    'within other words': lengthy((text) => `<result>${text}</result>`),
  },
  violation: {
    ...delivered.violation,
    'its beginning': lengthy((text) => text.slice(0, 20_000)),
    'its beginning and its end': lengthy(
      (text) => `${text.slice(0, 9000)}[...]${text.slice(-9000)}`,
    ),
    'in one line': lengthy((text) => text.replace(/\s+/g, ' ')),
  },
}

/** For a part of the message that is not for the model. */
const without = (part: string): Cases => ({
  pass: { 'the result alone': recording().plain().say() },
  violation: {
    'that, from the next turn on': recording().plain().answer(part).say(),
    'neither, although the message was taken': recording().running().result().gaveUp(waits.given),
    'neither, because it was refused': recording()
      .running()
      .result('result', { answer: 422 })
      .gaveUp(waits.given),
    'that, in place of the result': recording().running().result().answer(part).model(),
    'both, the one in the instructions': recording()
      .running()
      .result()
      .given()
      .model({ system: part }),
  },
  inconclusive: {
    ...never,
    'nobody took the message': recording()
      .running()
      .result('result', { answer: 'ECONNREFUSED' })
      .gaveUp(waits.given),
    'the run did not wait for it': recording().running().result(),
    'the model was not asked afterwards': recording().plain().say({ asks: false }),
  },
})

/** A result whose text is JSON, which the model got like this. */
const written = (as: (value: object) => string): Recording => {
  const token = tokenOf('result', 1)
  const items = ['one', token]
  const value = { text: 'Three items.', items, total: 3, filters: [], until: null, next: 'page-2' }
  const t = recording().running()
  t.deliver('result', { type: 'tool_result', text: JSON.stringify(value) }, { token })
  return t.answer(as(value)).model()
}

const structured: Cases = {
  ...delivered,
  pass: {
    ...delivered.pass,
    'as it came': written((value) => JSON.stringify(value)),
    'within other JSON': written((value) => JSON.stringify({ result: JSON.stringify(value) })),
    'with blanks': written((value) => JSON.stringify(value, null, 2)),
  },
  violation: {
    ...delivered.violation,
    'one of its members': written((value) => JSON.stringify(Object.values(value)[1])),
    'without what is empty': written((value) =>
      JSON.stringify({ ...value, until: undefined, filters: undefined }),
    ),
    'without its number': written((value) => JSON.stringify({ ...value, total: undefined })),
  },
}

const nothing = (answer: Ending = 200): Recording =>
  recording().running().deliver('result', { type: 'tool_result', text: '' }, { answer })

const empty: Cases = {
  pass: {
    'the model gets an empty text': nothing().answer('').model(),
    'the model gets a word for it': nothing().answer('(no output)').model(),
    'although the message was refused': nothing(400).model(),
  },
  violation: {
    'it is refused': nothing(400).gaveUp(waits.given),
    'it is taken, and nothing comes of it': nothing().gaveUp(waits.given),
  },
  inconclusive: {
    ...never,
    'nobody took the message': nothing('ECONNREFUSED').gaveUp(waits.given),
    'the run did not wait for it': nothing(),
    'the model was asked in another conversation': nothing().ask(),
  },
}

describeExamples(
  [...resultFormScenarios, ...resultScenarios, ...modelFacingScenarios],
  {
    'error-result': form,
    'content-result': {
      ...form,
      'rap-oauth/runtime/deliver-result': whole,
      'rap-oauth/runtime/represent-images': images,
    },
    'unicode-result': { ...form, 'rap-oauth/runtime/deliver-result': letters },
    'json-result': { ...form, 'rap-oauth/runtime/deliver-result': structured },
    'long-result': { ...form, 'rap-oauth/runtime/deliver-result': long },
    'indented-result': { ...form, 'rap-oauth/runtime/deliver-result': indented },
    'result-with-charset': form,
    'empty-result': { 'rap-oauth/runtime/deliver-result': empty },
    'result-with-other-call-id': { 'rap-oauth/runtime/deliver-result': delivered },
    'large-result': {
      'rap-oauth/runtime/accept-valid-callback': accepted((answer) =>
        recording().running().result('result', answer),
      ),
    },
    'extra-fields': {
      'rap-oauth/runtime/accept-extra-fields': delivered,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
    },
    'error-after-oauth': {
      'rap-oauth/runtime/deliver-result': delivered,
      'rap-oauth/runtime/no-invocation-retry': invokedOnce,
      'rap-oauth/runtime/discard-auth-url': forgotten(
        (t) => t.result(),
        (t) => t.given(),
        true,
      ),
    },
    'content-and-text': { 'rap-oauth/runtime/content-supersedes-text': without(superseded) },
    'display-as': { 'rap-oauth/runtime/display-as-not-for-model': without(displayed) },
    'display-as-with-content': {
      'rap-oauth/runtime/display-as-not-for-model': without(displayed),
    },
  },
  options,
)
