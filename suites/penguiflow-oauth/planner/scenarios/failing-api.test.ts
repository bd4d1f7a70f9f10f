import { describeExamples } from '../../../testing.ts'
import { options, recording, sighting } from '../../testing.ts'
import { apiFails } from './failing-api.ts'

const consented = () => recording().asked().consent().granted().resume().called('items_list')
const failed = () => consented().access({ outcome: 'refused' })

describeExamples(
  [apiFails],
  {
    'resource-error-500': {
      'penguiflow-oauth/planner/no-token-in-model': {
        pass: {
          'the model is told of a failure': failed().modelRequest().finished(),
          'the run fails': failed().failed('RuntimeError', 'the API answered 500'),
          'it pauses': failed().paused(),
          'what is not asked about': failed().modelRequest(sighting('model_api_key')),
        },
        violation: {
          'the model is told the token': failed().modelRequest(sighting('access_token')),
          'the model is told the refresh token': failed()
            .modelRequest()
            .modelRequest(sighting('refresh_token'))
            .finished(),
        },
        inconclusive: {
          'the API was not asked': consented().modelRequest().finished(),
          'it did not fail': consented().access().modelRequest(sighting('access_token')),
          'not at rest': failed(),
          'too deep': failed().modelRequest(sighting('unread')),
        },
      },
    },
  },
  options,
)
