import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, tokenOf, type Cases, type Recording } from '../testing.ts'
import { lifecycleScenarios } from './lifecycle.ts'
import { deliveredOnce, forgotten, forRightCall, ignored, invokedOnce, unshown } from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const cancelled = (status?: number): Recording => {
  const t = recording().pending().step('cancel')
  const url = 'http://127.0.0.1:4300/cancel'
  return status === undefined ? t : t.exchange('message', url, '', status)
}
const notified = (changes: Parameters<Recording['notify']>[0] = {}): Recording =>
  cancelled(200).notify(changes)
const unnotified = (t: Recording): Recording => t.gaveUp(waits.notified)

const scanned = (found: unknown[], bytes = 100): Recording =>
  recording().completed().step('scanned', { path: 'runtime.db', bytes, found })

const discarded: Cases = {
  pass: { 'it is discarded': cancelled().forge('late').window().say() },
  violation: {
    'it is given to the model': (() => {
      const t = cancelled().forge('late')
      return t.answer(t.last('forged')).model()
    })(),
  },
  inconclusive: {
    ...never,
    'the runtime refused to cancel': cancelled(404).forge('late').say(),
    'the model was not asked afterwards': cancelled().forge('late').window(),
  },
}

describeExamples(
  lifecycleScenarios,
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
          'it was not waited for': recording().pending().step('restarted').result(),
        },
      },
      'rap-oauth/runtime/no-invocation-retry': invokedOnce,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
    },
    'cancelled-while-pending': {
      'rap-oauth/runtime/notify-cancellation': {
        pass: {
          'with its ids': notified(),
          'with escapes': cancelled(200).exchange(
            'notification',
            'http://127.0.0.1:4400/cancel_tool_call',
            `{"thread\\u005fid":"group of ${tokenOf('conv', 1)}","tool_call_id":"\\u0069d of call-1"}`,
          ),
        },
        violation: {
          'not at all': unnotified(cancelled(200)),
          'of another call': unnotified(notified({ tool_call_id: 'x' })),
          'another notification': unnotified(notified({ path: '/close_thread' })),
        },
        inconclusive: {
          ...never,
          'nothing was cancelled': recording().pending(),
          'the runtime refused to cancel': unnotified(cancelled(404)),
          'it was not waited for': cancelled(200),
        },
      },
      'rap-oauth/runtime/notify-every-server': {
        pass: { both: notified().notify({ port: 4401 }) },
        violation: {
          'one alone': notified().window(),
          'one twice': notified().notify().window(),
        },
        inconclusive: {
          ...never,
          'nothing was cancelled': recording().pending(),
          'no tool was notified': unnotified(cancelled(200)),
          'it was not watched': notified(),
        },
      },
      'rap-oauth/runtime/no-surface-without-call': unshown('late-oauth', (t) => t.step('cancel')),
      'rap-oauth/runtime/discard-auth-url': forgotten(
        (t) => t.step('cancel'),
        (t) => t.window(),
        true,
      ),
      'rap-oauth/runtime/discard-result-after-cancel': discarded,
    },
    'cancellation-not-taken': {
      'rap-oauth/runtime/notification-not-retried': {
        pass: {
          'once for each toolset': notified({ answer: 503 })
            .notify({ port: 4401, answer: 503 })
            .window(),
        },
        violation: { 'twice at one': notified({ answer: 503 }).notify({ answer: 503 }) },
        inconclusive: {
          ...never,
          'no tool was notified': cancelled(200).window(),
          'it was not watched': notified({ answer: 503 }),
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
          'it was not watched': recording().completed().step('reopened'),
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
