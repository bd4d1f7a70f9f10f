import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording } from '../testing.ts'
import { restartScenarios } from './restarts.ts'
import { deliveredOnce, discarded, forRightCall, ignored, invokedOnce, unshown } from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }

const running = () => recording().running()

/** A call that was pending over a restart and has completed; then the storage was looked at. */
const overRestart = (found: unknown[] = [], bytes = 100) =>
  recording()
    .pending()
    .step('restarted')
    .result()
    .given()
    .say()
    .step('scanned', { path: 'runtime.db', bytes, found })

describeExamples(
  restartScenarios,
  {
    'restart-while-pending': {
      'rap-oauth/runtime/pending-survives-restart': {
        pass: { 'it completes': recording().pending().step('restarted').result().given() },
        violation: {
          'nothing takes the callback': recording()
            .pending()
            .step('restarted')
            .result('result', { answer: 'ECONNREFUSED' }),
          'it is forgotten': recording()
            .pending()
            .step('restarted')
            .result('result', { answer: 404 as 200 })
            .gaveUp(waits.given),
        },
        inconclusive: {
          ...never,
          'the result got no answer, as on a starved machine': recording()
            .pending()
            .step('restarted')
            .result('result', { answer: 'timeout' }),
          'it was not restarted': recording().pending().result().given(),
          'the run did not wait for it': recording().pending().step('restarted').result(),
        },
      },
      'rap-oauth/runtime/no-invocation-retry': invokedOnce,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
    },
    'asked-after-restart': {
      'rap-oauth/runtime/pending-survives-restart': {
        pass: { 'it is shown': running().step('restarted').oauth().shows() },
        violation: {
          'it is not': running().step('restarted').oauth().gaveUp(waits.surfaced, { of: 'oauth' }),
        },
        inconclusive: {
          ...never,
          'it was not restarted': running().oauth().shows(),
          'the run did not wait for it': running().step('restarted').oauth(),
        },
      },
    },
    'forgotten-after-restart': {
      'rap-oauth/runtime/discard-auth-url': {
        pass: { 'nothing is left': overRestart().step('reopened').window() },
        violation: {
          'it is stored': overRestart([{ token: 'url-1' }])
            .step('reopened')
            .window(),
          'it is shown to who comes back': overRestart().step('reopened').shows().window(),
        },
        inconclusive: {
          ...never,
          'it was not restarted': recording().completed().say(),
          'the call did not complete': recording().pending().step('restarted').result(),
          'nothing is stored': overRestart([], 0).step('reopened').window(),
          'its user did not come back': overRestart(),
          'the run did not watch long enough': overRestart().step('reopened'),
        },
      },
    },
    'restart-after-completion': {
      'rap-oauth/runtime/idempotent-duplicates': deliveredOnce,
      'rap-oauth/runtime/discard-unmatched-result': ignored('late'),
    },
    'restart-after-cancellation': {
      'rap-oauth/runtime/discard-result-after-cancel': discarded,
      'rap-oauth/runtime/no-surface-without-call': unshown('late-oauth', (t) => t.step('cancel')),
    },
  },
  options,
)
