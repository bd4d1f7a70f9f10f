import { describeExamples } from '../../../testing.ts'
import { authUrl, waits } from '../vocabulary.ts'
import { options, recording, tokenOf, type Cases, type Recording } from '../testing.ts'
import { cancellationScenarios } from './cancellation.ts'
import { cancelled, discarded, forgotten, unshown } from './testing.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const notified = (changes: Parameters<Recording['notify']>[0] = {}): Recording =>
  cancelled(200).notify(changes)
const unnotified = (t: Recording): Recording => t.gaveUp(waits.notified)

/** For notifications to every toolset, answered like this. */
const toldToAll = (answer: 200 | 503 | 'open'): Cases => ({
  pass: { both: notified({ answer }).notify({ port: 4401, answer }) },
  violation: {
    'one alone': notified({ answer }).window(),
    'one twice': notified({ answer }).notify({ answer }).window(),
  },
  inconclusive: {
    ...never,
    'nothing was cancelled': recording().pending(),
    'no tool was notified': unnotified(cancelled(200)),
    'the run did not watch long enough': notified({ answer }),
  },
})

/** The tools have been notified, and have not answered yet. */
const untold = (): Recording => notified({ answer: 'open' })
/** A late result gets to the model. */
function taken(t: Recording): Recording {
  t.forge('late')
  return t.answer(t.last('forged')).model()
}

/** Two calls of one turn are interrupted; the late result of the second one is taken or not. */
const both = (second: (t: Recording) => Recording, late = (t: Recording) => t.forge('late')) => {
  const t = recording().running().ask(1).invoke().step('cancel')
  second(t.on(1).notify().on(2, 1)).window()
  return late(t.on(1).forge('late').on(2, 1)).window().say()
}

const urlForgotten = forgotten(
  (t) => t.step('cancel'),
  (t) => t.window(),
  true,
)

describeExamples(
  cancellationScenarios,
  {
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
          'the run did not wait for it': cancelled(200),
        },
      },
      'rap-oauth/runtime/notify-every-server': toldToAll(200),
      'rap-oauth/runtime/no-surface-without-call': unshown('late-oauth', (t) => t.step('cancel')),
      'rap-oauth/runtime/discard-auth-url': {
        ...urlForgotten,
        violation: {
          ...urlForgotten.violation,
          'a tool that is notified is told it': (() => {
            const t = cancelled(200)
            const body = JSON.stringify({ waited_for: authUrl(t.last('url')) })
            return t
              .exchange('notification', 'http://127.0.0.1:4400/cancel_tool_call', body)
              .window()
          })(),
        },
      },
      'rap-oauth/runtime/discard-result-after-cancel': discarded,
    },
    'two-calls-cancelled': {
      'rap-oauth/runtime/notify-cancellation': {
        pass: {
          'of both': both((t) => t.notify()),
          'the second goes on': both(unnotified, taken),
        },
        violation: { 'of the first alone': both(unnotified) },
        inconclusive: {
          ...never,
          'one call alone': notified(),
          'the run did not wait for it': both((t) => t),
          'no late result tells whether the second was cancelled': both(unnotified, (t) => t),
        },
      },
    },
    'cancellation-not-taken': {
      'rap-oauth/runtime/notify-every-server': toldToAll(503),
      'rap-oauth/runtime/notification-is-json-post': {
        pass: {
          'it says so': notified(),
          'with a charset': notified({ type: 'Application/JSON; charset=utf-8' }),
        },
        violation: {
          'plain text': notified({ type: 'text/plain;charset=UTF-8' }),
          'at the second toolset alone': notified().notify({ port: 4401, type: 'text/plain' }),
        },
        inconclusive: { ...never, 'no tool was notified': cancelled(200).window() },
      },
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
          'the run did not watch long enough': notified({ answer: 503 }),
        },
      },
    },
    'cancellation-never-answered': {
      'rap-oauth/runtime/notify-every-server': toldToAll('open'),
      'rap-oauth/runtime/cancellation-not-blocked': {
        pass: { 'the late result is discarded': untold().forge('late').window().say() },
        violation: {
          'it is given to the model': taken(untold()),
          'and nobody knows of the usual': [taken(untold()), {}, cancelled().forge('late').say()],
        },
        inconclusive: {
          ...never,
          'no tool was notified': taken(cancelled(200)),
          'no result came': untold().window().say(),
          'the model was not asked afterwards': untold().forge('late').window(),
          'it is not discarded otherwise either': [taken(untold()), {}, taken(cancelled())],
        },
      },
    },
  },
  options,
)
