import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../../testing.ts'
import { laterRunScenarios } from './later-runs.ts'

const twice = () => recording().served().begin()
const forOther = () =>
  twice().paused({ pause_type: undefined, auth_url: undefined }, { reason: 'approval_required' })
/** The token was issued in the first call, so its uses are recorded there. */
const used = () => twice().on('call-1').access().on('call-2')
/** The API was asked before, for a user who has consented. */
const anonymous = () => recording().served().apiRequest().begin('')
const revoked = () => recording().served().mark('revoked').begin()
const refusedOnce = () => revoked().on('call-1').access().on('call-2')
const besideAnother = () =>
  recording().served().begin('user-2').access().finished().mark('revoked').begin()
const again = () => revoked().paused().consent().granted().resume()
const other = () => recording().served().begin('user-2')

/** It is said, and the model is not asked. */
const unasked = (user: string, before = recording().served()) =>
  before
    .on('call-2')
    .step('begin', { user, conversation: 'conversation-1' })
    .step('message', { user })

const nobody: Cases = {
  pass: {
    'it fails at once': unasked('').failed('ToolAuthError', 'user_id required'),
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
    'the model was not asked': unasked('').finished(),
    'it fails at the model': unasked('').step('model-asked', { messages: [] }).failed(),
    'it fails for everybody': unasked('', recording().asked().consent().granted()).failed(),
    'not at rest': anonymous(),
  },
}

describeExamples(
  laterRunScenarios,
  {
    'second-run': {
      'penguiflow-oauth/planner/no-pause-with-token': {
        pass: {
          'it runs': used().finished(),
          'after a pause for something else': forOther()
            .resume()
            .on('call-1')
            .access()
            .on('call-2')
            .finished(),
        },
        violation: {
          'it pauses after one for something else': forOther().resume().paused(),
          'it ends without after one': forOther().resume().finished(),
          'it pauses': twice().paused(),
          'it pauses after it ran': used().paused(),
          'it ends without': twice().finished(),
          'it fails': twice().failed(),
        },
        inconclusive: {
          'no token before': recording().asked().begin().finished(),
          'no second run': recording().served(),
          'not at rest': twice(),
          'paused for something else': forOther(),
        },
      },
    },
    'no-user-id': { 'penguiflow-oauth/planner/user-id-required': nobody },
    'no-user-id-in-conversation': { 'penguiflow-oauth/planner/user-id-required': nobody },
    'other-user-in-conversation': {
      'penguiflow-oauth/planner/own-token-at-api': {
        pass: {
          'it asks them': other().paused(),
          'it fails': other().failed(),
          'it fails at once': unasked('user-2').failed('PermissionError', 'of another user'),
        },
        violation: {
          'it runs with the token of the first': other()
            .on('call-1')
            .access()
            .on('call-2')
            .finished(),
        },
        inconclusive: {
          'not at rest': other(),
          'the model was not asked': unasked('user-2').paused(),
          'it fails for everybody': unasked(
            'user-2',
            recording().asked().consent().granted(),
          ).failed(),
          'the first has no token': recording().asked().begin('user-2').paused(),
        },
      },
    },
    'token-revoked': {
      'penguiflow-oauth/planner/token-refused': {
        pass: {
          'it pauses': refusedOnce().paused(),
          'it ends, and pauses the next time': refusedOnce().finished().begin().paused(),
        },
        violation: {
          'it ends, twice': refusedOnce().finished().begin().finished(),
          'it fails, twice': refusedOnce().failed().begin().failed(),
        },
        inconclusive: {
          'the token is not used': revoked().paused(),
          'it is not called again': refusedOnce().finished(),
          'not at rest': revoked().on('call-1').access().on('call-2'),
          'paused for something else': revoked()
            .on('call-1')
            .access()
            .on('call-2')
            .paused({ pause_type: undefined, auth_url: undefined }),
        },
      },
    },
    'token-revoked-beside-another': {
      'penguiflow-oauth/planner/own-token-at-api': {
        pass: {
          'it pauses': besideAnother().on('call-1').access().on('call-3').paused(),
          'it fails': besideAnother().on('call-1').access().on('call-3').failed(),
        },
        violation: {
          'with the token of the other': besideAnother()
            .on('call-1')
            .access()
            .on('call-2')
            .access()
            .on('call-3')
            .finished(),
        },
        inconclusive: {
          'the token is not used': besideAnother().paused(),
          'not at rest': besideAnother().on('call-1').access().on('call-3'),
          'the other has none': revoked().begin().paused(),
        },
      },
    },
    'consent-after-revocation': {
      'penguiflow-oauth/planner/run-after-consent': {
        pass: { 'it runs': again().access().finished() },
        violation: {
          'it asks once more': again().paused(),
          'it ends without': again().called().finished(),
          'it fails': again().failed(),
        },
        inconclusive: {
          'nobody consents': revoked().paused(),
          'not at rest': again(),
        },
      },
    },
  },
  options,
)
