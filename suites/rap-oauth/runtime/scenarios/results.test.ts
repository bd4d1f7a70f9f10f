import { describeExamples } from '../../../testing.ts'
import { waits } from '../session.ts'
import { options, recording, type Cases } from '../testing.ts'
import { resultScenarios } from './results.ts'
import {
  delivered,
  deliveredOnce,
  forRightCall,
  ignored,
  invokedOnce,
  pending,
  surfaced,
} from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const displayed = 'Shown to people only: 3 items.'

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

describeExamples(
  resultScenarios,
  {
    'error-result': form,
    'content-result': form,
    'extra-fields': {
      'rap-oauth/runtime/accept-extra-fields': delivered,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
    },
    'display-as': {
      'rap-oauth/runtime/display-as-not-for-model': {
        pass: { 'the text alone': recording().plain() },
        violation: {
          'what is displayed, in place of the text': recording()
            .running()
            .result()
            .answer(displayed)
            .model(),
          'both, the one in the instructions': recording()
            .running()
            .result()
            .given()
            .model({ system: displayed }),
        },
        inconclusive: { ...never, 'nothing reached the model': recording().running().result() },
      },
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
    },
    'duplicate-result': { 'rap-oauth/runtime/idempotent-duplicates': deliveredOnce },
    'result-after-completion': { 'rap-oauth/runtime/discard-unmatched-result': ignored('late') },
  },
  options,
)
