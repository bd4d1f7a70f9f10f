import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, tokenOf, type Cases, type Recording } from '../testing.ts'
import { resultScenarios } from './results.ts'
import {
  delivered,
  deliveredOnce,
  forgotten,
  forRightCall,
  ignored,
  invokedOnce,
  pending,
  surfaced,
} from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const displayed = 'Shown to people only: 3 items.'
const superseded = 'The short form, which the content supersedes.'

/** Three oauth messages; what the user sees of each comes in between. */
const thrice = (...shown: readonly boolean[]) => {
  const t = recording().running().oauth()
  if (shown[0]) t.shows()
  t.again('oauth-again')
  if (shown[1]) t.shows()
  t.again('oauth-once-more')
  return t.window()
}
const twin = recording('twin').completed()

const shownOnce: Cases = {
  pass: {
    once: [thrice(true).result().given(), {}, twin],
    'in two places, as without duplicates': [
      thrice(true, true),
      {},
      recording('twin').running().oauth().shows().shows().window().result(),
    ],
    'and once more when the page changes with the result': [
      (() => {
        const t = thrice(true).result()
        return t.shows()
      })(),
      {},
      twin,
    ],
  },
  violation: { 'again for a duplicate': [thrice(true, true), {}, twin] },
  inconclusive: {
    'no invocation': [never['no invocation'], {}, twin],
    'not at all': [thrice(false), {}, twin],
    'the undisturbed twin showed none': [thrice(true), {}, recording('twin').running().oauth()],
    'no twin': thrice(true),
    'it was not watched': [
      recording().running().oauth().shows().again('oauth-again').again('oauth-once-more'),
      {},
      twin,
    ],
  },
}

const form = {
  'rap-oauth/runtime/deliver-result': delivered,
  'rap-oauth/runtime/deliver-result-once': deliveredOnce,
  'rap-oauth/runtime/result-for-right-call': forRightCall,
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

const whole: Cases = {
  ...delivered,
  pass: { ...delivered.pass, 'all of its items': contents('attic', 'cellar') },
  violation: { ...delivered.violation, 'the last item alone': contents('cellar') },
}

/** A result in letters of every length, which the model got like this. */
const spelt = (as: (text: string) => string): Recording => {
  const token = tokenOf('result', 1)
  const text = `Einträge, 三つ, \u{1F34F} (${token}).`
  const t = recording().running()
  return t.deliver('result', { type: 'tool_result', text }, { token }).answer(as(text)).model()
}

const escaped = (text: string): string =>
  JSON.stringify({ result: text }).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const letters: Cases = {
  ...delivered,
  pass: {
    ...delivered.pass,
    'as it came': spelt((text) => text),
    'among other words': spelt((text) => `<result>\n${text}\n</result>`),
    'in JSON, with escapes': spelt(escaped),
    'in another normal form': spelt((text) => text.normalize('NFD')),
  },
  violation: {
    ...delivered.violation,
    'with question marks': spelt((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
    'in another encoding': spelt((text) => Buffer.from(text).toString('latin1')),
  },
}

/** For a part of the message that is not for the model. */
const without = (part: string): Cases => ({
  pass: { 'the result alone': recording().plain() },
  violation: {
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
    'it was not waited for': recording().running().result(),
  },
})

describeExamples(
  resultScenarios,
  {
    'error-result': form,
    'content-result': { ...form, 'rap-oauth/runtime/deliver-result': whole },
    'unicode-result': { ...form, 'rap-oauth/runtime/deliver-result': letters },
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
    'duplicate-oauth': {
      'rap-oauth/runtime/idempotent-duplicates': shownOnce,
      'rap-oauth/runtime/no-invocation-retry': invokedOnce,
      'rap-oauth/runtime/keep-call-pending': pending,
      'rap-oauth/runtime/deliver-result': delivered,
    },
    'second-oauth': {
      'rap-oauth/runtime/surface-auth-url': {
        pass: {
          'both are shown': recording().running().oauth().shows().oauth('second-oauth').shows(),
          'the first was missed': recording()
            .running()
            .oauth()
            .gaveUp(waits.surfaced, { of: 'oauth' })
            .oauth('second-oauth')
            .shows(),
        },
        violation: {
          'the second is missing': recording()
            .running()
            .oauth()
            .shows()
            .oauth('second-oauth')
            .gaveUp(waits.surfaced, { of: 'second-oauth' }),
        },
        inconclusive: surfaced.inconclusive,
      },
      'rap-oauth/runtime/no-invocation-retry': invokedOnce,
      'rap-oauth/runtime/keep-call-pending': pending,
      'rap-oauth/runtime/deliver-result': delivered,
      'rap-oauth/runtime/discard-auth-url': forgotten(
        (t) => t.oauth('second-oauth').result(),
        (t) => t.given(),
        true,
      ),
    },
    'duplicate-while-busy': { 'rap-oauth/runtime/idempotent-duplicates': deliveredOnce },
    'duplicate-while-answering': { 'rap-oauth/runtime/idempotent-duplicates': deliveredOnce },
    'duplicate-result': { 'rap-oauth/runtime/idempotent-duplicates': deliveredOnce },
    'result-after-completion': { 'rap-oauth/runtime/discard-unmatched-result': ignored('late') },
  },
  options,
)
