/** Examples that several scenarios share. */

import { challengeKey } from '../challenges.ts'
import { bearer, lacking, recording, type Fields } from './testing.ts'

/** Examples of what is asked of a challenge on every revision. */
export function challengeExamples() {
  const challenged = (value?: unknown, changes?: Fields) =>
    recording().deployed().call().challenged(value, changes)
  const answered = (result: Fields) => recording().deployed().call().result(result)
  const unchallenged = {
    'an error without the key': answered({ isError: true, content: [] }),
    'it was served': recording().call().served(),
    'HTTP 401': recording().call().http(401),
    'an error of the protocol': recording().call().error(),
    'not answered': recording().call(),
    'there was no call': recording().deployed(),
  }
  return {
    'mcp-auth-challenge/server/mark-error': {
      pass: { true: challenged() },
      violation: {
        missing: challenged(undefined, { isError: undefined }),
        false: challenged(undefined, { isError: false }),
        'a word': challenged(undefined, { isError: 'true' }),
      },
      inconclusive: unchallenged,
    },
    'mcp-auth-challenge/server/challenge-form': {
      pass: {
        'an array': challenged(),
        'a string': challenged(bearer),
        'several strings': challenged(['Basic realm="x"', bearer]),
      },
      violation: {
        'an empty array': challenged([]),
        'an empty string': challenged(''),
        'a blank one': challenged([bearer, ' ']),
        'an object': challenged({ bearer }),
        'an array with an object': challenged([bearer, {}]),
        null: challenged(null),
        'beside _meta': answered({ isError: true, 'mcp/www_authenticate': bearer }),
        'under another key': answered({ isError: true, _meta: { 'www-authenticate': bearer } }),
        'in an error of the protocol': recording()
          .deployed()
          .call()
          .error(-32001, { _meta: { [challengeKey]: bearer } }),
        'in structuredContent': answered({ structuredContent: { [challengeKey]: bearer } }),
      },
      inconclusive: unchallenged,
    },
    'mcp-auth-challenge/server/challenge-parses': {
      pass: {
        'one challenge': challenged(),
        'among others': challenged(['Negotiate', `Basic realm="x", ${bearer}`]),
      },
      violation: {
        'no commas': challenged('Bearer a="b" c="d"'),
        'one of two is broken': challenged([bearer, 'Bearer a="b" c="d"']),
        'no Bearer challenge': challenged('Basic realm="x"'),
        words: challenged('Please sign in'),
      },
      inconclusive: { ...unchallenged, 'no string': challenged([{}]) },
    },
  }
}

/** Examples of the call that is made again with a token. */
export function acceptsToken() {
  const again = () => recording().followed().granted().call()
  return {
    pass: {
      served: again().served(),
      'served with the scopes that it then asked for': again()
        .challenged(lacking)
        .granted()
        .again()
        .served(),
    },
    violation: {
      'challenged again': again().challenged(),
      'challenged with the scopes that it asked for': again()
        .challenged(lacking)
        .granted()
        .again()
        .challenged(lacking)
        .step('signed-in'),
      'HTTP 401': again().http(401),
      'HTTP 403': again().http(403),
    },
    inconclusive: {
      'the tool failed': again().result({ isError: true, content: [] }),
      'an error': again().error(),
      'HTTP 500': again().http(500),
      'not answered': again(),
      'no token': recording().followed(),
      'no token with the scopes that it then asked for': again().challenged(lacking),
    },
  }
}
