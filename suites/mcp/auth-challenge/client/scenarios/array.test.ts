import { describeExamples, withoutShared } from '../../../../testing.ts'
import { endpoint, options, recording, unchallenged, type Cases } from '../testing.ts'
import { array } from './array.ts'

const notFollowed = () => recording('array').asked().gaveUp()
const byHttp = () => notFollowed().begin().attempt().challenged().gaveUp().begin().unauthorized()

const follow: Cases = {
  pass: {
    'metadata and a flow': recording().complete(),
    'metadata before the challenge': recording()
      .client()
      .metadata()
      .begin()
      .attempt()
      .challenged()
      .requested(),
  },
  violation: {
    'a flow without metadata': recording().asked().opened().requested(),
    'a later challenge only': notFollowed().begin().attempt().challenged().opened(),
    'by HTTP only': byHttp().opened(),
    'by HTTP only, as the provider saw it': byHttp().requested(),
  },
  inconclusive: {
    ...unchallenged(),
    'no flow': notFollowed(),
    'no flow by HTTP either': byHttp().gaveUp(),
  },
}

const waits: Cases = {
  pass: { 'nothing came': recording().asked().opened().window() },
  violation: {
    'the same call': recording().asked().opened().attempt(),
    'with what is no token': recording().asked().opened().attemptWithout(),
    'after the token, without it': recording().asked().signedIn().attempt(),
  },
  inconclusive: { ...unchallenged(), 'nobody watched': recording().asked().opened() },
}

const resource = (asked: unknown, redeemed?: readonly string[]) =>
  recording().asked().requested({ resource: asked }).granted(redeemed)

const retried = () => recording().asked().signedIn()

export const retries: Cases = {
  pass: {
    once: recording().complete(),
    'with other members beside': retried().attemptWithToken().served().window(),
  },
  violation: {
    'not at all': retried().window(),
    'not at all, and it was waited for': retried().gaveUp(),
    twice: recording().complete().attemptWithToken(),
    'with values as texts': recording()
      .client()
      .begin()
      .attempt({ note: 'a', limit: 25, folder: null })
      .challenged()
      .signedIn()
      .attemptWithToken({ note: 'a', limit: '25', folder: 'null' }),
    'with other arguments': retried().attemptWithToken({}),
  },
  inconclusive: {
    ...unchallenged(),
    'no token': recording().asked().opened(),
    'nobody waited': retried(),
  },
}

describeExamples(
  [withoutShared(array)],
  {
    array: {
      'mcp-auth-challenge/client/follow-chain': follow,
      'mcp-auth-challenge/client/no-retry-without-token': waits,
      'mcp-auth-challenge/client/retry-with-token': retries,
      'mcp-auth-challenge/client/resource-parameter': {
        pass: {
          both: resource([endpoint]),
          'with a slash': resource([`${endpoint}/`]),
          'the origin alone': resource([new URL(endpoint).origin]),
        },
        violation: {
          'neither request': resource([], []),
          'not the authorization request': resource([]),
          'not the token request': resource([endpoint], []),
          'another one': resource(['https://127.0.0.1:4999/mcp']),
          'another path': resource([`${endpoint}-of-another`]),
        },
        inconclusive: {
          'no request': recording().asked(),
          'no token request': recording().asked().requested(),
        },
      },
    },
  },
  options,
)
