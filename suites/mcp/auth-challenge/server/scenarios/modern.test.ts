import { describeExamples } from '../../../../testing.ts'
import {
  acceptsToken,
  challengeExamples,
  leadsToMetadata,
  refusesToken,
  servesNobody,
} from '../examples.ts'
import { options, recording } from '../testing.ts'
import { modern, modernFlawedTokens } from './modern.ts'

const challenged = (changes: Record<string, unknown>) =>
  recording().deployed().call().challenged(undefined, changes)

describeExamples(
  [modern, modernFlawedTokens],
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
      'mcp-auth-challenge/server/metadata-url': leadsToMetadata(),
      'mcp-auth-challenge/server/accept-token': acceptsToken(),
      'mcp-auth-challenge/server/enforce': servesNobody(),
    },
    'modern-flawed-tokens': {
      ...challengeExamples(),
      'mcp-auth-challenge/server/enforce': refusesToken(),
      'mcp-auth-challenge/server/result-type': {
        pass: { complete: challenged({ resultType: 'complete' }) },
        violation: {
          'missing in a later one': challenged({ resultType: 'complete' }).call().challenged(),
        },
        inconclusive: { 'no result': recording().call().http(401) },
      },
    },
  },
  options,
)
