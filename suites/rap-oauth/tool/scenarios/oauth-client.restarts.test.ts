import { describeChecks, recording, type Ending, type Recording } from '../testing.ts'
import { replayAfterRestart } from './oauth-client.ts'
import { restartWhilePending } from './restart-while-pending.ts'

const restarted = (answer: Ending = 200) =>
  recording()
    .asked()
    .asked()
    .step('restart')
    .step('restarted')
    .on('call-1')
    .callback({ code: 'c' }, answer)

describeChecks(restartWhilePending, {
  'rap-oauth/tool/persist-pending-calls': {
    pass: {
      'both end': restarted().grant().result().on('call-2').result('Error: timed out'),
      'the other one is not waited for': restarted().grant().result(),
      'who approved gets an error, as without a restart': [
        restarted().refused().result('Error: no token'),
        {},
        recording().asked().result('Error: no token'),
      ],
    },
    violation: {
      'who approved is not answered': restarted(404).gaveUp(),
      'who approved gets an error, and not without a restart': [
        restarted().refused().result('Error: no token'),
        {},
        recording().completed(),
      ],
      'the timer is lost': restarted().grant().result().on('call-2').gaveUp(5500),
    },
    inconclusive: {
      'nobody came back': recording().asked().step('restarted').gaveUp(),
      'the restart took as long as a call may wait': [
        recording()
          .asked()
          .asked()
          .after(4600)
          .step('restarted')
          .on('call-1')
          .callback({ code: 'c' })
          .result('Error: timed out'),
        { pendingTimeoutMs: 5000 },
        recording().completed(),
      ],
      'there was no restart': recording().asked().callback().gaveUp(),
      'nobody waited': restarted(),
    },
  },
})

const again = (answer: Ending = 400, beforeItEnds = (r: Recording): Recording => r) =>
  beforeItEnds(recording().completed().step('restart'))
    .step('stopped')
    .step('restarted')
    .mark('forged')
    .callback({ code: 'c', state: 's' }, answer)

describeChecks(replayAfterRestart, {
  'oauth-client/state-single-use': {
    pass: { 'nothing follows': again().window() },
    violation: { 'the code is presented again': again(303).refused().window() },
    inconclusive: { 'it was not answered': again('refused').window() },
  },
  'rap-oauth/tool/single-result': {
    pass: {
      'no second result': again().window(),
      'one that was taken down as undelivered': again().result().window(),
    },
    violation: {
      'a second result': again().result('Error: no').window(),
      'the same twice before it has ended': again(400, (r) => r.result()).window(),
    },
    inconclusive: { 'nobody watched': again() },
  },
})
