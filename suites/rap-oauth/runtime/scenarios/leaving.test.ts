import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { leavingScenarios } from './leaving.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const scanned = (found: unknown[], bytes = 100): Recording =>
  recording().completed().step('scanned', { path: 'runtime.db', bytes, found })

const again = 'the other link was not shown again'

/** Two calls of one turn; the link of the first is shown. */
const twice = (second: (t: Recording) => Recording): Recording =>
  second(recording().ask().invoke().ask(1).invoke().on(1).oauth().shows().on(2, 1))

const comesBack = (shows: (t: Recording) => Recording): Recording =>
  shows(twice((t) => t.oauth().shows()).step('reopened')).window()

const left = (): Recording => recording().pending().step('left').window()

const away = (): Recording => recording().ask().invoke().step('left').oauth()

const stayed: Cases['inconclusive'] = {
  ...never,
  'the user did not leave': recording().completed(),
  'the user left too late': recording().completed().step('left'),
}

describeExamples(
  leavingScenarios,
  {
    'user-leaves-while-pending': {
      'rap-oauth/runtime/keep-call-pending': {
        pass: { 'nothing happens until the result': left().result().given() },
        violation: {
          'its tool is told that it was cancelled': left().notify().result().given(),
          'the model is told that it failed': left().answer('Error: aborted').model(),
        },
        inconclusive: { ...stayed, 'the call was lost': left().result().gaveUp(waits.given) },
      },
      'rap-oauth/runtime/deliver-result': {
        pass: { 'the model gets it': left().result().given() },
        violation: {
          'it is refused': left().result('result', { answer: 404 }).gaveUp(waits.given),
          'it goes nowhere': left().result().gaveUp(waits.given),
        },
        inconclusive: { ...stayed, 'the run did not wait for it': left().result() },
      },
    },
    'asked-while-away': {
      'rap-oauth/runtime/surface-auth-url': {
        pass: {
          'it is there for who comes back': away().step('reopened').shows().result().given(),
        },
        violation: { 'it is not': away().step('reopened').gaveUp(waits.surfaced, { of: 'oauth' }) },
        inconclusive: {
          ...never,
          'the user did not leave': recording().completed(),
          'the user left too late': recording().pending().step('left'),
        },
      },
    },
    'over-while-away': {
      'rap-oauth/runtime/discard-auth-url': {
        pass: { 'nothing is shown': away().result().given().step('reopened').window() },
        violation: { 'the URL is': away().result().given().step('reopened').shows() },
        inconclusive: {
          'the run did not watch long enough': away().result().given().step('reopened'),
          'the user did not leave': recording().completed().step('reopened').window(),
          'the call did not complete': away().step('reopened').window(),
        },
      },
    },
    'reopened-after-completion': {
      'rap-oauth/runtime/discard-auth-url': {
        pass: {
          'nothing is shown': recording().completed().step('reopened').window(),
          'it was shown before': recording()
            .pending()
            .result()
            .given()
            .shows('Done.')
            .step('reopened')
            .window(),
        },
        violation: { 'the URL': recording().completed().step('reopened').shows() },
        inconclusive: {
          ...never,
          'the call did not complete': recording().pending().step('reopened').window(),
          'the run did not watch long enough': recording().completed().step('reopened'),
        },
      },
    },
    'reopened-while-pending': {
      'rap-oauth/runtime/surface-auth-url': {
        pass: {
          'both are there': comesBack((t) => t.on(1).shows().on(2, 1).shows()),
          'nothing is shown twice': comesBack((t) => t),
        },
        violation: {
          'the second alone': comesBack((t) => t.shows())
            .on(1)
            .gaveUp(again),
          'the first after its result': comesBack((t) => t.shows())
            .on(1)
            .gaveUp(again)
            .result()
            .shows(),
        },
        inconclusive: {
          ...never,
          'only one was shown before': twice((t) => t.oauth())
            .step('reopened')
            .window(),
          'the user did not come back': twice((t) => t.oauth().shows()).window(),
          'the other was not waited for': comesBack((t) => t.shows()),
        },
      },
    },
    'storage-after-completion': {
      'rap-oauth/runtime/discard-auth-url': {
        pass: { 'nothing of it': scanned([]) },
        violation: { 'the URL': scanned([{ token: 'url-1', encoding: 'raw' }]) },
        inconclusive: {
          ...never,
          'the call did not complete': recording()
            .pending()
            .step('scanned', { bytes: 1, found: [] }),
          'nothing is stored there': scanned([], 0),
        },
        'not-applicable': { 'no storage is declared': [scanned([]), { storage: false }] },
      },
    },
  },
  options,
)
