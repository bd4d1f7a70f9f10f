import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../../testing.ts'
import { laterRunScenarios } from './later-runs.ts'

const twice = () => recording().served().begin()
/** The token was issued in the first call, so its uses are recorded there. */
const used = () => twice().on('call-1').access().on('call-2')
/** The API was asked before, for a user who has consented. */
const anonymous = () => recording().served().apiRequest().begin('')
const revoked = () => recording().served().mark('revoked').begin()
const other = () => recording().served().begin('user-2')

const nobody: Cases = {
  pass: {
    'the model is told': anonymous().told(['items_list', 'user_id required']).finished(),
    'it fails': anonymous().failed('ToolAuthError', 'user_id required'),
  },
  violation: {
    'it pauses': anonymous().paused(),
    'the API is asked without a token': anonymous().apiRequest().finished(),
    'the API is asked with the token of another': anonymous()
      .on('call-1')
      .apiRequest()
      .access()
      .on('call-2')
      .finished(),
    'the tool runs': anonymous().toolRun().finished(),
  },
  inconclusive: {
    'the model was not asked': recording().served().step('begin').step('message').failed(),
    'not at rest': anonymous(),
  },
}

describeExamples(
  laterRunScenarios,
  {
    'second-run': {
      'penguiflow-oauth/planner/no-pause-with-token': {
        pass: { 'it runs': used().finished() },
        violation: {
          'it pauses': twice().paused(),
          'it pauses after it ran': used().paused(),
          'it ends without': twice().finished(),
          'it fails': twice().failed(),
        },
        inconclusive: {
          'no token before': recording().asked().begin().finished(),
          'no second run': recording().served(),
          'not at rest': twice(),
        },
      },
    },
    'no-user-id': { 'penguiflow-oauth/planner/user-id-required': nobody },
    'no-user-id-in-conversation': { 'penguiflow-oauth/planner/user-id-required': nobody },
    'other-user-in-conversation': {
      'penguiflow-oauth/planner/own-token-at-api': {
        pass: { 'it asks them': other().paused(), 'it fails': other().failed() },
        violation: {
          'it runs with the token of the first': other()
            .on('call-1')
            .access()
            .on('call-2')
            .finished(),
        },
        inconclusive: {
          'not at rest': other(),
          'the model was not asked': recording().served().step('begin').step('message').paused(),
          'the first has no token': recording().asked().begin('user-2').paused(),
        },
      },
    },
    'token-revoked': {
      'penguiflow-oauth/planner/token-refused': {
        pass: { 'it pauses': revoked().on('call-1').access().on('call-2').paused() },
        violation: {
          'it ends': revoked().on('call-1').access().on('call-2').finished(),
          'it fails': revoked().on('call-1').access().on('call-2').failed(),
        },
        inconclusive: {
          'the token is not used': revoked().paused(),
          'not at rest': revoked().on('call-1').access().on('call-2'),
        },
      },
    },
  },
  options,
)
