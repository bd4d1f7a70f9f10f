import { describeExamples } from '../../../testing.ts'
import { waits } from '../session.ts'
import { options, recording, type Recording } from '../testing.ts'
import { lifecycleScenarios } from './lifecycle.ts'
import { deliveredOnce, forRightCall, invokedOnce } from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const cancelled = (status?: number): Recording => {
  const t = recording().pending().step('cancel')
  const url = 'http://127.0.0.1:4300/cancel'
  return status === undefined ? t : t.exchange('message', url, '', status)
}
const notified = (path: string, ids: Record<string, string> = {}): Recording => {
  const t = cancelled(200)
  const { group_id, id } = t.invocation
  const body = JSON.stringify({ thread_id: group_id, tool_call_id: id, ...ids })
  return t.exchange('notification', `http://127.0.0.1:4400${path}`, body)
}

const scanned = (found: unknown[], bytes = 100): Recording =>
  recording().completed().step('scanned', { path: 'runtime.db', bytes, found })

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
        pass: { 'with its ids': notified('/cancel_tool_call') },
        violation: {
          'not at all': cancelled(200).window(),
          'of another call': notified('/cancel_tool_call', { tool_call_id: 'x' }).window(),
          'another notification': notified('/close_thread').window(),
        },
        inconclusive: {
          ...never,
          'nothing was cancelled': recording().pending(),
          'the runtime refused to cancel': cancelled(404),
          'it was not watched': cancelled(200),
        },
      },
      'rap-oauth/runtime/discard-result-after-cancel': {
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
