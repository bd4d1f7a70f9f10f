import { describeExamples } from '../../../testing.ts'
import { waits } from '../session.ts'
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

describeExamples(
  [authorizeAndComplete, talkWhileRunning, talkWhilePending],
  {
    'authorize-and-complete': {
      'rap-oauth/runtime/oauth-needs-user': {
        pass: { 'it waited': recording().completed() },
        violation: {
          'the message was the result': recording().running().oauth().answer('null').model(),
        },
        inconclusive: {
          ...never,
          'the message got no answer': recording().running().oauth('oauth', { answer: 'open' }),
          'no URL was shown': recording().running().oauth().window().result().given(),
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
      'rap-oauth/runtime/discard-auth-url': {
        pass: { 'nothing of it': recording().completed().say() },
        violation: {
          'in the history': (() => {
            const t = recording().pending()
            const text = `Please visit ${t.last('url')}`
            return t.tell({ role: 'assistant', text }).result().given().window()
          })(),
        },
        inconclusive: {
          ...never,
          'the call did not complete': recording().pending().say(),
          'the model was not asked afterwards': recording().pending().result(),
        },
      },
    },
    'talk-while-running': {
      'rap-oauth/runtime/deliver-result': delivered,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
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
          'it was not waited for': recording().pending().say({ asks: false }),
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
