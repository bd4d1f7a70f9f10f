import { describeExamples } from '../../../../testing.ts'
import { acceptsToken, challengeExamples } from '../examples.ts'
import { options, recording } from '../testing.ts'
import { modern } from './modern.ts'

const challenged = (changes: Record<string, unknown>) =>
  recording().deployed().call().challenged(undefined, changes)

describeExamples(
  [modern],
  {
    modern: {
      ...challengeExamples(),
      'mcp-auth-challenge/server/result-type': {
        pass: { complete: challenged({ resultType: 'complete' }) },
        violation: {
          missing: challenged({}),
          'another one': challenged({ resultType: 'input_required' }),
        },
        inconclusive: { 'no challenge': recording().call().served() },
      },
      'mcp-auth-challenge/server/accept-token': acceptsToken(),
    },
  },
  options,
)
