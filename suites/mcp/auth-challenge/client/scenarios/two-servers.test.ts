import { describeExamples } from '../../../../testing.ts'
import { options, otherEndpoint, recording, sighting } from '../testing.ts'
import { movedServer, twoServers } from './two-servers.ts'

const used = () => recording().complete().mark('other-server').begin()
const moved = () => used().redirected()
const otherMetadata = `${new URL(otherEndpoint).origin}/.well-known/oauth-protected-resource`

describeExamples(
  [twoServers, movedServer],
  {
    'endpoint-redirects': {
      'mcp-auth-challenge/client/token-to-own-origin': {
        pass: {
          'it ends there': moved().window(),
          'it is followed without a token': moved().attemptElsewhere().window(),
        },
        violation: { 'the token goes along': moved().attemptElsewhere(sighting('access_token')) },
        inconclusive: {
          'no token': recording().asked(),
          'it was not redirected': used().attemptWithToken().served().window(),
          'nobody watched': moved(),
        },
      },
    },
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
