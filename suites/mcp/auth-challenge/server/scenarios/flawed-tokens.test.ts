import { describeExamples } from '../../../../testing.ts'
import { refusesToken } from '../examples.ts'
import { options, recording } from '../testing.ts'
import {
  alteredAfterUse,
  flawedTokenScenarios,
  similarAudiences,
  tokensBySender,
} from './flawed-tokens.ts'

const unlike = [...flawedTokenScenarios, similarAudiences, ...tokensBySender]

describeExamples(
  unlike,
  Object.fromEntries(
    unlike.map(({ id }) => [id, { 'mcp-auth-challenge/server/enforce': refusesToken() }]),
  ),
  options,
)

const again = () => recording().complete().call()

describeExamples(
  [alteredAfterUse],
  {
    'token-altered-after-use': {
      'mcp-auth-challenge/server/enforce': {
        pass: { 'HTTP 401': again().http(401), 'challenged again': again().challenged() },
        violation: { served: again().served() },
        inconclusive: {
          'not answered': again(),
          'the call was not made': recording().complete(),
          'nothing was served before': recording().followed().call().challenged().call().served(),
        },
      },
    },
  },
  options,
)
