import { describeExamples } from '../../../testing.ts'
import { options, recording, type Recording } from '../testing.ts'
import { timedOutAfterRestart } from './timeout-after-restart.ts'

const unended = 'the call was not ended'

/** Nobody authorizes; the declared timeout is three seconds. */
const restarted = (): Recording => recording().running().oauth().shows().step('restarted')

describeExamples(
  [timedOutAfterRestart],
  {
    'runtime-timeout-after-restart': {
      'rap-oauth/runtime/documented-timeout': {
        pass: {
          'an error in time': restarted().after(3000).answer('Error: timed out').model(),
          'counted from the restart': restarted().after(4400).answer('Error: timed out').model(),
          'in other words': restarted().after(3000).answer('Zeitüberschreitung').model(),
        },
        violation: {
          never: restarted().gaveUp(unended, { within: 4500 }).say(),
          'as an empty result': restarted().after(3000).answer('null').model(),
        },
        inconclusive: {
          'it was not restarted': recording()
            .running()
            .oauth()
            .shows()
            .after(3000)
            .answer('Error')
            .model(),
          'it was ended by the restart': restarted()
            .after(100)
            .answer('Error: interrupted')
            .model(),
          'the run did not wait for it': restarted().after(3000),
          'the run may not wait for so long': [
            restarted().gaveUp(unended, { within: 30_000 }).say(),
            { userTimeoutMs: 60_000 },
          ],
        },
      },
    },
  },
  options,
)
