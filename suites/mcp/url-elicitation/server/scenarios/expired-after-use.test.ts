import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Recording } from '../testing.ts'
import { expiredAfterUse } from './access-tokens.ts'

const connected = () =>
  recording().event({
    type: 'step',
    action: 'connect',
    detail: { connection: 'connection-1', lifetime: 10 },
  })
const used = (): Recording => connected().begin().elicit().answer('decline').failed()
const expired = () => used().after(11_000)

describeExamples(
  [expiredAfterUse],
  {
    'token-expired-after-use': {
      'mcp-url-elicitation/server/validate-tokens': {
        pass: {
          'it is refused': expired().begin({}, 401),
          'the session is over': expired().begin({}, 404),
          'the call fails in words': expired().begin().failed('log in'),
          'its user was asked by an error': connected()
            .begin()
            .required()
            .after(11_000)
            .begin({}, 401),
          'it was served before': connected().begin().result().after(11_000).begin({}, 401),
        },
        violation: {
          'its user is asked': expired().begin().elicit(),
          'its user is asked by an error': expired().begin().required(),
          'the call is served': expired().begin().result(),
        },
        inconclusive: {
          'it had not expired yet': used().after(1000).begin().elicit(),
          'it was never used': connected().begin({}, 401).after(11_000).begin({}, 401),
          'it was used too late': connected().after(11_000).begin().elicit().begin().elicit(),
          'nobody called again': expired(),
          'it was not answered': expired().begin({}, 'open'),
          'the server is in trouble': expired().begin({}, 503),
        },
      },
    },
  },
  options,
)
