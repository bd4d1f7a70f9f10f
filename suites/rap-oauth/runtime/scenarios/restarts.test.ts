import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, tokenOf, type Recording } from '../testing.ts'
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

/** Two users were asked, the runtime restarted, and the calls of these users completed. */
const twoOverRestart = (...completed: readonly number[]) => {
  const t = recording()
  for (const [conversation, user_id] of [
    [1, 'ann'],
    [2, 'ben'],
  ] as const)
    t.ask(conversation).invoke({ user_id }).oauth().shows()
  t.step('restarted')
  for (const call of completed) t.on(call).result().given()
  return t
}

/** They call once more, for these users. */
const thenFor = (t: Recording, ...users: readonly unknown[]) => {
  for (const [index, user_id] of users.entries()) t.ask(index + 1).invoke({ user_id })
  return t
}

const unrestarted = recording().ask(1).invoke().oauth().shows().ask(2).invoke().oauth().shows()

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
    'restart-with-two-users': {
      'rap-oauth/runtime/pending-survives-restart': {
        pass: { 'both complete': twoOverRestart(2, 1) },
        violation: {
          'one is forgotten': twoOverRestart(2)
            .on(1)
            .result('result', { answer: 404 as 200 })
            .gaveUp(waits.given),
        },
        inconclusive: {
          ...never,
          'it was not restarted': unrestarted,
          'one result was not waited for': twoOverRestart(2).on(1).result(),
        },
      },
      'rap-oauth/runtime/isolate-conversations': {
        pass: { 'each by itself': twoOverRestart(2, 1) },
        violation: {
          'one is told of the other': twoOverRestart(2, 1)
            .tell({ role: 'system', text: tokenOf('ref', 2) })
            .model(),
        },
        inconclusive: { ...never, 'it was not restarted': unrestarted },
      },
      'rap-oauth/runtime/unique-call-id': {
        pass: { 'each its own': twoOverRestart(2, 1).on(1).ask(1).invoke({ id: 'another' }) },
        violation: {
          'counted anew': twoOverRestart(2, 1).on(1).ask(1).invoke({ id: 'id of call-1' }),
        },
        inconclusive: { ...never, 'it was not restarted': unrestarted },
      },
      'rap-oauth/runtime/user-id-of-own-user': {
        pass: {
          'each its own': thenFor(twoOverRestart(2, 1), 'ann', 'ben'),
          'nobody is named': thenFor(twoOverRestart(2, 1), null, undefined),
        },
        violation: {
          'the other one': thenFor(twoOverRestart(2, 1), 'ben', 'ann'),
          'one for both': thenFor(twoOverRestart(2, 1), 'ann', 'ann'),
        },
        inconclusive: { ...never, 'it was not restarted': unrestarted },
        'not-applicable': {
          'it is not told who speaks': [twoOverRestart(2, 1), { tellsUsers: false }],
        },
      },
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
