import { describeExamples } from '../../../../testing.ts'
import {
  endpoint,
  endpointBeside,
  options,
  otherEndpoint,
  recording,
  sighting,
} from '../testing.ts'
import { movedServer, oneHost, twoServers } from './two-servers.ts'

const used = () => recording().complete().mark('other-server').begin()
const moved = () => used().redirected()
const otherMetadata = `${new URL(otherEndpoint).origin}/.well-known/oauth-protected-resource`

/** Both servers stand at one host, and a token for this resource was used at the first. */
const usedAt = (resource: string) =>
  recording()
    .client(endpointBeside)
    .begin()
    .attempt()
    .challenged()
    .metadata()
    .opened()
    .requested()
    .returned()
    .granted([resource])
    .attemptWithToken()
    .accessed()
    .served()
    .mark('other-server')
    .begin()
const { origin } = new URL(endpoint)
const metadataBeside = `${origin}/.well-known/oauth-protected-resource/notes/mcp`

describeExamples(
  [twoServers, oneHost, movedServer],
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
    'two-servers-one-host': {
      'mcp-auth-challenge/client/token-to-own-origin': {
        pass: {
          'none at the other server': usedAt(endpoint).attemptBeside(),
          'its own one': usedAt(endpoint)
            .attemptBeside()
            .metadata(metadataBeside)
            .attemptBeside(sighting('access_token', undefined, 2)),
          'one that was requested for the host': usedAt(origin).attemptBeside(
            sighting('access_token'),
          ),
        },
        violation: {
          'in a call': usedAt(endpoint).attemptBeside(sighting('access_token')),
          'when its metadata is fetched': usedAt(endpoint).metadata(
            metadataBeside,
            sighting('access_token'),
          ),
          'when the metadata of the first is': usedAt(origin).metadata(
            undefined,
            sighting('access_token'),
          ),
        },
        inconclusive: {
          'no token': recording().client(endpointBeside).begin().attempt(),
          'the other server was not called': usedAt(endpoint).attemptWithToken(),
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
