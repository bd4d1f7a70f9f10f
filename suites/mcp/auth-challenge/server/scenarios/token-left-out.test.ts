import { describeExamples } from '../../../../testing.ts'
import { notes, options, recording } from '../testing.ts'
import { tokenLeftOut } from './token-left-out.ts'

const again = () => recording().complete().call()

describeExamples(
  [tokenLeftOut],
  {
    'token-left-out': {
      'mcp-auth-challenge/server/enforce': {
        pass: {
          'challenged again': again().challenged(),
          'HTTP 401': again().http(401),
          'an error of the protocol': again().error(),
        },
        violation: {
          served: again().served(),
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
      },
    },
  },
  options,
)
