import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Recording } from '../testing.ts'
import { pendingForLong } from './pending-for-long.ts'

/** The user takes half a minute, and nothing happens meanwhile. */
const long = (): Recording => recording().running().oauth().shows().window(30_000)

const tooSoon = {
  'no invocation': recording().ask().gaveUp(waits.invocation),
  'the user did not take their time': recording().completed(),
}

describeExamples(
  [pendingForLong],
  {
    'pending-for-long': {
      'rap-oauth/runtime/keep-call-pending': {
        pass: { 'until the result': long().result().given() },
        violation: {
          'ended by an error': recording()
            .running()
            .oauth()
            .shows()
            .after(20_000)
            .answer('Error: timed out')
            .model()
            .window(30_000)
            .result('result', { answer: 404 }),
          'its tool is told that it was cancelled': long().notify().result(),
        },
        inconclusive: {
          ...tooSoon,
          'the result was lost, so the call may have been': long().result().gaveUp(waits.given),
        },
      },
      'rap-oauth/runtime/deliver-result': {
        pass: { 'when it comes': long().result().given() },
        violation: {
          'no longer': long().result('result', { answer: 404 }).gaveUp(waits.given),
        },
        inconclusive: { ...tooSoon, 'no result was sent': long() },
      },
    },
  },
  options,
)
