import { describeExamples } from '../../../../testing.ts'
import { options, otherEndpoint, recording, sighting } from '../testing.ts'
import { twoServers } from './two-servers.ts'

const used = () => recording().complete().mark('other-server').begin()
const otherMetadata = `${new URL(otherEndpoint).origin}/.well-known/oauth-protected-resource`

describeExamples(
  [twoServers],
  {
    'two-servers': {
      'mcp-auth-challenge/client/token-to-own-origin': {
        pass: {
          'none at the other server': used().attemptElsewhere(),
          'its own one': used()
            .attemptElsewhere()
            .attemptElsewhere(sighting('access_token', undefined, 2)),
        },
        violation: {
          'in a call': used().attemptElsewhere(sighting('access_token')),
          'when its metadata is fetched': used().metadata(otherMetadata, sighting('access_token')),
          'when the metadata of the first is': used().metadata(undefined, sighting('access_token')),
        },
        inconclusive: {
          'no token': recording().asked(),
          'the other server was not called': used(),
        },
      },
    },
  },
  options,
)
