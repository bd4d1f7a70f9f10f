import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said } from '../testing.ts'
import { restartWhilePending } from './restart-while-pending.ts'

const control = recording().served()
const answered = () => recording().asked().decision().step('restarted').callback()

/** The call has arguments, and the API is asked with these. */
const searching = (from: ReturnType<typeof recording>, search: string) =>
  from
    .callback()
    .grant()
    .upstream(`/resource/items?search=${search}`)
    .access()
    .back([said.result(items())])
const asked = () => recording().asked('user-1', said.request(), { search: 'tea' })
const searched = searching(asked(), 'tea')
const afterwards = (search: string) => searching(asked().decision().step('restarted'), search)

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
          'the call has its arguments': [afterwards('tea'), {}, searched],
          'nobody knows what the API is asked for': [
            afterwards('coffee'),
            {},
            searching(asked(), 'everything'),
          ],
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
          'the arguments of the call are lost': [afterwards('coffee'), {}, searched],
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
