import { describeExamples } from '../../../../testing.ts'
import { options, recording } from '../testing.ts'
import { expiredAfterUse } from './expired-after-use.ts'

const issued = () => recording().followed().step('opaque-token', { lifetime: 10 }).call()
const used = () => issued().served()
const expired = () => used().after(11_000).call()

describeExamples(
  [expiredAfterUse],
  {
    'token-expired-after-use': {
      'mcp-auth-challenge/server/enforce': {
        pass: {
          'HTTP 401': expired().http(401),
          'challenged again': expired().challenged(),
          'an error result': expired().result({ isError: true, content: [] }),
        },
        violation: { served: expired().served(), 'with something else': expired().served('more') },
        inconclusive: {
          'it had not expired yet': used().after(1000).call().served(),
          'it was never served': issued().challenged().after(11_000).call().served(),
          'it was not one that expires': recording().complete().after(11_000).call().served(),
          'nobody called again': used().after(11_000),
          'it was not answered': expired(),
        },
      },
    },
  },
  options,
)
