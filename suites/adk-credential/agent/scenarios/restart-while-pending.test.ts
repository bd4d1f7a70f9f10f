import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said } from '../testing.ts'
import { restartWhilePending } from './restart-while-pending.ts'

const control = recording().served()
const answered = () => recording().asked().decision().step('restarted').callback()

describeExamples(
  [restartWhilePending],
  {
    'restart-while-pending': {
      'adk-credential/agent/pending-survives-restart': {
        pass: {
          'the call has its result': answered()
            .grant()
            .access()
            .back([said.result(items())]),
          'its user is asked again': answered().back([said.request('request-2')]),
        },
        violation: {
          'nothing comes of the answer': [answered().back(), {}, control],
          'it is no answer to anything': [answered().back([said.text()]), {}, control],
          'the call fails': [
            answered().back([said.result({ error: 'not authorized' })]),
            {},
            control,
          ],
          'the call is lost': [answered().grant().back(), {}, control],
        },
        inconclusive: {
          'no restart': recording().served(),
          'no answer': recording().asked().decision().step('restarted'),
          'the answer was not taken yet': answered(),
          'no call ever completes': [answered().back(), {}, recording().asked()],
        },
      },
    },
  },
  options,
)
