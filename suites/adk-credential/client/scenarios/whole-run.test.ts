import { describeExamples } from '../../../testing.ts'
import { options, recording } from '../testing.ts'
import { unexposed } from './testing.ts'
import { wholeRun } from './whole-run.ts'

describeExamples(
  [wholeRun],
  {
    'whole-run': {
      'adk-credential/client/code-not-exposed': unexposed,
      'oauth-client/no-foreign-resources-on-callback-page': {
        pass: { 'it loads nothing': recording().approved() },
        violation: {
          'an image': recording()
            .asked()
            .opened()
            .back(undefined, '<img src="https://metrics.example/seen.gif">'),
        },
        inconclusive: { 'the browser did not come back': recording().asked().opened() },
      },
    },
  },
  options,
)
