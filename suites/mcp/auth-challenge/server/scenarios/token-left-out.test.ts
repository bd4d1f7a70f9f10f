import { describeExamples } from '../../../../testing.ts'
import { notes, options, recording, type Cases } from '../testing.ts'
import { sessionBegunWithToken, tokenLeftOut } from './token-left-out.ts'

const again = () => recording().complete().call()

const cases: Cases = {
  pass: {
    'challenged again': again().challenged(),
    'HTTP 401': again().http(401),
    'each time': again().challenged().call().http(401),
    'an error of the protocol': again().error(),
  },
  violation: {
    served: again().served(),
    'served the third time': again().challenged().call().http(401).call().served(),
    'served with something else': again().served('other notes'),
    'served as an error': again().challenged(undefined, {
      content: [{ type: 'text', text: notes }],
    }),
  },
  inconclusive: {
    'not answered': again(),
    'the call was not made': recording().complete(),
    'nothing was served before': recording().followed().call().challenged().call().served(),
  },
}

describeExamples(
  [tokenLeftOut, sessionBegunWithToken],
  {
    'token-left-out': { 'mcp-auth-challenge/server/enforce': cases },
    'session-begun-with-token': { 'mcp-auth-challenge/server/enforce': cases },
  },
  options,
)
