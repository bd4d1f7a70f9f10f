import { describeExamples } from '../../../testing.ts'
import { options, recording, said } from '../testing.ts'
import { laterFlowScenarios } from './later-flow.ts'

/** The second call waits, and a forged callback has come back for it. */
const forged = () =>
  recording()
    .served()
    .begin('user-1', 'list_notes')
    .model([], 'list_notes')
    .events([said.call('paused-2', 'list_notes'), said.request('request-2', 'paused-2')])
    .authorizationRequest('s2')
    .mark('forged')
    .callback({ code: 'c', state: 'x' })

describeExamples(
  laterFlowScenarios,
  {
    'state-altered-in-later-flow': {
      'oauth-client/validate-state': {
        pass: { 'no token request': forged().back().window().mark('genuine') },
        violation: { 'a token request': forged().grant().back().window().mark('genuine') },
        inconclusive: {
          'it was not asked for': recording().served(),
          'the forged callback was not answered': forged(),
        },
      },
    },
  },
  options,
)
