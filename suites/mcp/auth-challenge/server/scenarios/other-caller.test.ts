import { describeExamples } from '../../../../testing.ts'
import { options, recording } from '../testing.ts'
import { otherCaller } from './other-caller.ts'

const usual = () => recording().deployed().connect().call().challenged()
const other = () => usual().connect().call()

describeExamples(
  [otherCaller],
  {
    'other-caller': {
      'mcp-auth-challenge/server/every-caller': {
        pass: { both: other().challenged() },
        violation: {
          'HTTP 401': other().http(401),
          'an error without the key': other().result({ isError: true, content: [] }),
          'an error of the protocol': other().error(),
          served: other().served(),
          'it cannot connect': usual().refused(401),
        },
        inconclusive: {
          'nobody was challenged': recording().connect().call().http(401),
          'it was not answered': other(),
          'there was no other': usual(),
        },
      },
    },
  },
  options,
)
