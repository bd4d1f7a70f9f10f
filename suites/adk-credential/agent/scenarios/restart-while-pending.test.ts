import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said, type Cases } from '../testing.ts'
import { restartScenarios } from './restart-while-pending.ts'

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

/** Three requests wait when the agent restarts; then each of them is answered wrongly. */
const waiting = () => {
  const t = recording()
  for (const user of ['user-1', 'user-2', 'user-3']) t.asked(user).authorizationRequest()
  return t.step('restarted').mark('forged')
}
type Recording = ReturnType<typeof recording>
const forged = (call: string, comes: (t: Recording) => Recording) =>
  comes(waiting().on(call).callback()).window()

/** Of an answer that is wrong nothing comes, and nothing else counts. */
const believes = (call: string, other: string): Cases => ({
  pass: {
    'nothing comes of it': forged(call, (t) => t.back()),
    'it is refused': forged(call, (t) => t.back([], 404)),
  },
  violation: { 'its code is redeemed': forged(call, (t) => t.grant().back()) },
  inconclusive: {
    'nothing was forged': waiting().window(),
    'another one was': forged(other, (t) => t.grant().back()),
    'it was not answered': waiting().on(call).callback(),
  },
})

describeExamples(
  restartScenarios,
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
    'forged-after-restart': {
      'oauth-client/validate-state': believes('call-1', 'call-2'),
      'adk-credential/agent/answer-id-matches': believes('call-2', 'call-3'),
      'oauth-client/token-bound-to-user': believes('call-3', 'call-1'),
    },
  },
  options,
)
