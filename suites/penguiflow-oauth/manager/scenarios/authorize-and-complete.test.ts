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
    },
  },
  options,
)
