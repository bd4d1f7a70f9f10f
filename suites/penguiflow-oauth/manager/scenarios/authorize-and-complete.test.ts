import { describeExamples, withoutShared } from '../../../testing.ts'
import { options, recording } from '../testing.ts'
import { authorizeAndComplete } from './authorize-and-complete.ts'

const paused = (payload: object) =>
  recording()
    .begin()
    .paused({ state: 's', ...payload })

describeExamples(
  [withoutShared(authorizeAndComplete)],
  {
    [authorizeAndComplete.id]: {
      'penguiflow-oauth/manager/payload-matches-url': {
        pass: {
          'both are the same': paused({}).requested(),
          'scopes as a text, in another order': paused({ scopes: 'b a' }).requested({
            scopes: ['a', 'b'],
          }),
          'neither is there': paused({ state: undefined, scopes: undefined }).requested(),
        },
        violation: {
          'another state': paused({ state: 'other' }).requested(),
          'no state in the URL': paused({}).requested({ state: undefined }),
          'another scope': paused({ scopes: ['items'] }).requested(),
          'a scope more': paused({ scopes: ['items:read', 'b'] }).requested(),
          'no scope in the URL': paused({}).requested({ scopes: [] }),
        },
        inconclusive: { 'not visited': paused({}), 'no pause': recording().begin().finished() },
      },
      'penguiflow-oauth/manager/token-stored': {
        pass: { 'it is used': recording().served() },
        violation: {
          'it pauses again': recording().asked().consent().granted().resume().paused(),
          'it ends without': recording().asked().consent().granted().resume().finished(),
        },
        inconclusive: {
          'no token': recording().asked().consent().resume().paused(),
          'not resumed': recording().asked().consent().granted(),
          'not at rest': recording().asked().consent().granted().resume(),
        },
      },
    },
  },
  options,
)
