import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import {
  authorizeAndComplete,
  talkWhilePending,
  talkWhileRunning,
} from './authorize-and-complete.ts'
import {
  accepted,
  delivered,
  deliveredOnce,
  faithfulInvocation,
  forgotten,
  forRightCall,
  invokedOnce,
  pending,
  surfaced,
} from './testing.ts'

const unheard = 'the model was not asked'
const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }

/** The user talks while the call is pending; in between, the runtime tells the model something or not. */
const talking = (...notes: readonly string[]): Recording =>
  notes
    .reduce((t, text) => t.tell({ role: 'system', text }), recording().pending())
    .say()
    .result()

/** The same with a call that needs no authorization. */
const running = (...notes: readonly string[]): Recording =>
  notes
    .reduce((t, text) => t.tell({ role: 'system', text }), recording('twin').running())
    .say()
    .result()

const informed: Cases = {
  pass: {
    'by a message that names the authorization': talking('It waits for the consent of the user.'),
    'by the answer to the tool call': recording()
      .pending()
      .answer('The user has been asked to sign in.')
      .say()
      .result(),
    'at once, in a request that nobody has asked for': recording()
      .pending()
      .tell({ role: 'system', text: 'Waiting for authorization.' })
      .model()
      .result(),
    'in its instructions': recording()
      .pending()
      .say({ system: 'A call is waiting for permission.' })
      .result(),
    'in another language': [
      talking('Der Aufruf model-1 wartet auf die Freigabe.'),
      {},
      running('Der Aufruf model-1 dauert an.'),
    ],
    'beside the words of the user': [
      recording().pending().tell({ role: 'user', text: '(Freigabe erbeten)' }).say().result(),
      {},
      running(),
    ],
  },
  violation: {
    'nothing is said': [talking(), {}, running()],
    'a result of somebody else': [talking('Tool said: result-' + '7'.repeat(24)), {}, running()],
    'the message was its result': [
      recording().pending().answer('null').say().result(),
      {},
      running(),
    ],
    'what is said of every call': [
      talking('Call model-1 is running since 10:31.'),
      {},
      running('Call model-1 is running since 10:30.'),
    ],
    'what was known before': [
      recording()
        .ask()
        .tell({ role: 'system', text: 'Be brief.' })
        .model()
        .invoke()
        .oauth()
        .shows()
        .window()
        .say()
        .result(),
      {},
      running(),
    ],
    'the model was not asked at all': recording()
      .pending()
      .say({ asks: false })
      .gaveUp(unheard)
      .result(),
  },
  inconclusive: {
    ...never,
    'the message got no answer': recording().running().oauth('oauth', { answer: 'open' }),
    'the user said nothing': recording().pending(),
  },
}

/** What the user says may end a call that waits for nobody. */
const interrupted = (text: string): Recording =>
  recording().running().say({ asks: false }).answer(text).model().result().gaveUp(waits.given)

const interruptible = (cases: Cases): Cases => ({
  ...cases,
  pass: {
    ...cases.pass,
    'the message interrupted the call': interrupted('Error: interrupted by the user'),
    'the message interrupted the call, in other words': interrupted('Cancelled.'),
  },
})

/** The URL was waited for in vain; the surface is told to be so. */
const unseen = (...problems: readonly (string | undefined)[]) =>
  problems
    .reduce(
      (all, problem) =>
        all.step('surface-state', { source: 'sse', url: 'http://127.0.0.1:1/shown', problem }),
      recording().running(),
    )
    .oauth()
    .gaveUp(waits.surfaced, { of: 'oauth' })

describeExamples(
  [authorizeAndComplete, talkWhileRunning, talkWhilePending],
  {
    'authorize-and-complete': {
      'rap-oauth/runtime/invocation-faithful': faithfulInvocation,
      'rap-oauth/runtime/oauth-needs-user': {
        pass: { 'it waited': recording().completed() },
        violation: {
          'the message was the result': recording().running().oauth().answer('null').model(),
          'nobody was asked anything': recording()
            .running()
            .oauth('oauth', { answer: 400 })
            .gaveUp(waits.surfaced, { of: 'oauth' }),
          'nobody was, though a surface could be opened in the end': unseen('HTTP 404', undefined),
        },
        inconclusive: {
          ...never,
          'its surface cannot be opened': unseen('HTTP 404'),
          'the message got no answer': recording().running().oauth('oauth', { answer: 'open' }),
          'no URL was shown, nor waited for': recording()
            .running()
            .oauth()
            .window()
            .result()
            .given(),
          'the call was lost': recording().pending().result(),
        },
      },
      'rap-oauth/runtime/surface-auth-url': surfaced,
      'rap-oauth/runtime/keep-call-pending': pending,
      'rap-oauth/runtime/no-invocation-retry': invokedOnce,
      'rap-oauth/runtime/accept-valid-callback': accepted((answer) =>
        recording().running().oauth('oauth', answer),
      ),
      'rap-oauth/runtime/deliver-result': delivered,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
      'rap-oauth/runtime/discard-auth-url': forgotten(
        (t) => t.result(),
        (t) => t.given(),
      ),
    },
    'talk-while-running': {
      'rap-oauth/runtime/deliver-result': interruptible(delivered),
      'rap-oauth/runtime/deliver-result-once': interruptible(deliveredOnce),
      'rap-oauth/runtime/result-for-right-call': interruptible(forRightCall),
    },
    'talk-while-pending': {
      'rap-oauth/runtime/usable-while-pending': {
        pass: { 'the model was asked': talking() },
        violation: {
          'not within the deadline': recording().pending().say({ asks: false }).gaveUp(unheard),
          'only after the result': recording()
            .pending()
            .say({ asks: false })
            .gaveUp(unheard)
            .result()
            .given(),
        },
        inconclusive: {
          ...never,
          'the message got no answer': recording().running().oauth('oauth', { answer: 'open' }),
          'the user said nothing': recording().pending(),
          'the run did not wait for it': recording().pending().say({ asks: false }),
        },
      },
      'rap-oauth/runtime/inform-model': informed,
      'rap-oauth/runtime/keep-call-pending': pending,
      'rap-oauth/runtime/no-invocation-retry': invokedOnce,
      'rap-oauth/runtime/deliver-result': delivered,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
    },
  },
  options,
)
