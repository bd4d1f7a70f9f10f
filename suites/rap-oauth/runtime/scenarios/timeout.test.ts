import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Recording } from '../testing.ts'
import { forgotten, unshown } from './testing.ts'
import { timedOut } from './timeout.ts'

const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
const unended = 'the call was not ended'

/** Nobody authorizes for so long; the declared timeout is three seconds. */
const waited = (ms: number): Recording => recording().running().oauth().shows().after(ms)
const late = (t: Recording): Recording => t.mark('ended').forge('late').window()

const ended = (t: Recording): Recording =>
  t.after(3000).answer('Error: timed out').model().mark('ended')

describeExamples(
  [timedOut],
  {
    'runtime-timeout': {
      'rap-oauth/runtime/documented-timeout': {
        pass: {
          'an error in time': waited(3000).answer('Error: timed out').model(),
          'in an envelope that calls the tool call completed': waited(3000)
            .answer('{"error":null,"completed":true,"value":"Error: no result, given up"}')
            .model(),
          'in other words': waited(3000).answer('Zeitüberschreitung bei der Freigabe').model(),
          'as a message': waited(3000)
            .tell({ role: 'system', text: 'The call model-1 has expired.' })
            .model(),
          'with the next message of the user': recording()
            .running()
            .oauth()
            .shows()
            .after(4500)
            .say({ asks: false })
            .answer('Error: timed out')
            .model(),
          'after a status': recording()
            .running()
            .oauth()
            .shows()
            .answer('Wartet auf die Freigabe.')
            .model()
            .after(3000)
            .answer('Abgebrochen.')
            .model(),
          'by a clock that was moved': recording()
            .running()
            .oauth()
            .shows()
            .step('clock-advanced', { ms: 1500 })
            .window(100)
            .step('clock-advanced', { ms: 1500 })
            .answer('Error: timed out')
            .model(),
        },
        violation: {
          'before its time': waited(100).answer('Error: timed out').model(),
          'before its time, by a clock that was moved': waited(0)
            .step('clock-advanced', { ms: 1500 })
            .answer('Error: timed out')
            .model(),
          never: waited(0).gaveUp(unended, { within: 4500 }).say(),
          'never, but the model is told that it is pending': waited(0)
            .gaveUp(unended, { within: 4500 })
            .tell({ role: 'system', text: 'The call model-1 waits for its user.' })
            .say(),
          'never, by a clock that was moved': waited(0)
            .step('clock-advanced', { ms: 3000 })
            .gaveUp(unended)
            .say(),
          'as an empty result': waited(3000).answer('null').model(),
        },
        inconclusive: {
          ...never,
          'the run did not wait for it': waited(3000),
          'what it is told with the next message is in another language': waited(0)
            .gaveUp(unended, { within: 4500 })
            .answer('Zeitüberschreitung bei der Freigabe')
            .say(),
          'the model was not asked again': waited(0).gaveUp(unended, { within: 4500 }),
          'the run may not wait for so long': [
            waited(0).gaveUp(unended, { within: 30_000 }).say(),
            { userTimeoutMs: 60_000 },
          ],
        },
      },
      'rap-oauth/runtime/discard-unmatched-result': {
        pass: { 'it is discarded': late(waited(3000)).say() },
        violation: {
          'it is given to the model': (() => {
            const t = late(waited(3000))
            return t.answer(t.last('forged')).model()
          })(),
        },
        inconclusive: {
          ...never,
          'the call had not ended': waited(3000).forge('late').say(),
          'the model was not asked afterwards': late(waited(3000)),
        },
      },
      'rap-oauth/runtime/no-surface-without-call': unshown('late-oauth', ended),
      'rap-oauth/runtime/discard-auth-url': forgotten(
        (t) => t.after(3000),
        (t) => t.tell({ role: 'system', text: 'Error: timed out.' }).model().mark('ended'),
        true,
      ),
    },
  },
  options,
)
