import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, tokenOf, type Cases, type Recording } from '../testing.ts'
import { repetitionScenarios } from './repetitions.ts'
import {
  delivered,
  deliveredOnce,
  forgotten,
  ignored,
  invokedOnce,
  pending,
  surfaced,
} from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }

/** Three oauth messages; what the user sees of each comes in between. */
const thrice = (...shown: readonly boolean[]) => {
  const t = recording().running().oauth()
  if (shown[0]) t.shows()
  t.again('oauth-again')
  if (shown[1]) t.shows()
  t.again('oauth-once-more')
  return t.window()
}
/** The same, where the user looks at a page again and again, on which the URL stands so many times. */
const looked = (...times: readonly number[]) => {
  const t = recording().running().oauth().again('oauth-again').again('oauth-once-more')
  return times.reduce((seen, each) => seen.page(each), t).window()
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
    'once on a page that differs at every look': [looked(1, 1, 1), {}, looked(1)],
    'and once more when the page changes with the result': [
      (() => {
        const t = thrice(true).result()
        return t.shows()
      })(),
      {},
      twin,
    ],
  },
  violation: {
    'again for a duplicate': [thrice(true, true), {}, twin],
    'again on a page that differs at every look': [looked(1, 2), {}, looked(1)],
  },
  inconclusive: {
    'no invocation': [never['no invocation'], {}, twin],
    'not at all': [thrice(false), {}, twin],
    'the undisturbed twin showed none': [thrice(true), {}, recording('twin').running().oauth()],
    'no twin': thrice(true),
    'the run did not watch long enough': [
      recording().running().oauth().shows().again('oauth-again').again('oauth-once-more'),
      {},
      twin,
    ],
  },
}

/** Three calls, of which the first and the third are of one conversation, whose results have the same words. */
const equal = (third: (t: Recording) => Recording): Recording => {
  const t = recording()
  const token = tokenOf('result', 1)
  const send = (): Recording => t.deliver('result', { type: 'tool_result', text: token }, { token })
  t.ask().invoke().ask().invoke()
  for (const call of [1, 2]) {
    t.on(call)
    send().given()
  }
  t.ask(1).invoke()
  return third(send())
}

const told = (text: string) => (t: Recording) => t.tell({ role: 'user', text }).model()

const equalResults: Cases = {
  pass: {
    'each as the answer to its call': equal((t) => t.given()),
    'as news': equal(told(`Result: ${tokenOf('result', 1)}`)),
    'in one text with the one before': equal((t) => {
      const token = tokenOf('result', 1)
      return t.model({ messages: [{ role: 'user', text: `First ${token}, then ${token}` }] })
    }),
  },
  violation: {
    'the last one is taken for a duplicate': equal((t) => t.gaveUp(waits.given)),
    'the model is asked without it': equal((t) => t.model().gaveUp(waits.given)),
  },
  inconclusive: {
    ...never,
    'fewer calls were made': recording().plain(),
    'the run did not wait for it': equal((t) => t),
  },
}

describeExamples(
  repetitionScenarios,
  {
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
    'equal-results': { 'rap-oauth/runtime/deliver-result': equalResults },
    'result-after-completion': { 'rap-oauth/runtime/discard-unmatched-result': ignored('late') },
  },
  options,
)
