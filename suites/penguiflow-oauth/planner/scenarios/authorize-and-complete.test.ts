import { describeExamples } from '../../../testing.ts'
import { options, recording } from '../../testing.ts'
import { authorizeAndComplete } from './authorize-and-complete.ts'

const granted = () => recording().asked().consent().granted()

describeExamples(
  [authorizeAndComplete],
  {
    [authorizeAndComplete.id]: {
      'penguiflow-oauth/planner/pause-without-token': {
        pass: { 'it pauses': recording().asked() },
        violation: {
          'it ends': recording().begin().told(['items_list', 'no token']).finished(),
          'it fails': recording().begin().failed(),
          'the tool runs before': recording().begin().toolRun().paused(),
          'the API is asked before': recording().begin().access().paused(),
        },
        inconclusive: {
          'the model was not asked': recording().step('begin').step('message').finished(),
          'it does not come to rest': recording().begin(),
        },
      },
      'penguiflow-oauth/planner/pause-payload': {
        pass: {
          'all of it': recording().asked(),
          'an earlier pause is for something else': recording()
            .begin()
            .paused({ pause_type: undefined, auth_url: undefined }, { reason: 'approval_required' })
            .paused(),
          'a later pause is for something else': recording()
            .served()
            .paused({ pause_type: undefined }, { reason: 'approval_required' }),
        },
        violation: {
          'another reason': recording().begin().paused({}, { reason: 'await_input' }),
          'no reason': recording().begin().paused({}, { reason: undefined }),
          'another type': recording().begin().paused({ pause_type: 'approval' }),
          'no provider': recording().begin().paused({ provider: undefined }),
          'an empty provider': recording().begin().paused({ provider: '' }),
        },
        inconclusive: { 'no pause': recording().begin().finished() },
      },
      'penguiflow-oauth/planner/payload-fields': {
        pass: {
          'all of them': recording().asked(),
          'scopes as a text, and more': recording().begin().paused({ scopes: 'a b', more: 1 }),
        },
        violation: {
          'no display_name': recording().begin().paused({ display_name: undefined }),
          'no state': recording().begin().paused({ state: null }),
          'an empty URL': recording().begin().paused({ auth_url: '' }),
        },
        inconclusive: { 'no pause': recording().begin().finished() },
      },
      'penguiflow-oauth/planner/run-after-consent': {
        pass: {
          'with the token': recording().served(),
          'after one more pause': granted()
            .resume()
            .paused({ pause_type: undefined }, { reason: 'approval_required' })
            .resume()
            .access()
            .finished(),
        },
        violation: {
          'it ends': granted().resume().called().finished(),
          'it ends without a word to the model': granted().resume().finished(),
          'it fails': granted().resume().failed(),
          'it asks again': granted().resume().called('items_list').paused(),
        },
        inconclusive: {
          'no token': recording().asked().consent().resume().finished(),
          'not resumed': granted(),
          'not at rest': granted().resume().called('items_list'),
          'paused for something else': granted().resume().paused({ pause_type: undefined }),
        },
      },
    },
  },
  options,
)
