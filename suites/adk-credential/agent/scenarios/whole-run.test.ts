import { describeExamples, withoutShared } from '../../../testing.ts'
import { options, recording, requestCases, said, sighting } from '../testing.ts'
import { wholeRun } from './whole-run.ts'

const served = () => recording().served()
const longRunning = requestCases['adk-credential/agent/request-long-running']
const secret = '[secret access_token-1]'

describeExamples(
  [withoutShared(wholeRun)],
  {
    'whole-run': {
      ...requestCases,
      'adk-credential/agent/request-long-running': {
        ...longRunning,
        violation: {
          ...longRunning.violation,
          'a later one': recording()
            .asked()
            .asked('user-2', { ...said.request(), longRunningToolIds: [] }),
        },
      },
      'adk-credential/agent/secrets-not-to-model': {
        pass: {
          'nothing secret': served().modelRequest(),
          'its own key is no secret': served().modelRequest(sighting('model_api_key')),
        },
        violation: Object.fromEntries(
          [
            'access_token',
            'refresh_token',
            'authorization_code',
            'client_secret',
            'code_verifier',
          ].map((kind) => [kind, served().modelRequest(sighting(kind))]),
        ),
        inconclusive: {
          'no token was issued': recording().asked().modelRequest(),
          'the model was never asked': served(),
          'a request could not be read': served().modelRequest(sighting('unread')),
        },
      },
      'adk-credential/agent/state-without-tokens': {
        pass: {
          'an empty state': served().read({ state: {} }),
          'an event that the harness sent': served().read({ state: {}, events: [secret] }),
        },
        violation: {
          'in the session': served().read({ state: { token: secret } }),
          'in an event': served()
            .read({ state: {} })
            .begin()
            .events([{ ...said.text(), actions: { stateDelta: { token: secret } } }]),
        },
        inconclusive: {
          'no token was issued': recording().asked().read({ state: {} }),
          'no session was read': served(),
        },
      },
    },
  },
  options,
)
