/** Examples that several scenarios share. */

import { challengeKey } from '../challenges.ts'
import {
  bearer,
  lacking,
  metadataUrl,
  notes,
  recording,
  type Cases,
  type Fields,
} from './testing.ts'

/** Examples of what is asked of every challenge, after what was recorded before the call. */
export function challengeExamples(before = () => recording().deployed()) {
  const challenged = (value?: unknown, changes?: Fields) =>
    before().call().challenged(value, changes)
  const answered = (result: Fields) => before().call().result(result)
  const unchallenged = {
    'an error without the key': answered({ isError: true, content: [] }),
    'it was served': before().call().served(),
    'HTTP 401': before().call().http(401),
    'an error of the protocol': before().call().error(),
    'not answered': before().call(),
    'there was no call': before(),
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
    'mcp-auth-challenge/server/content-present': {
      pass: {
        'a text': challenged(),
        'a picture': challenged(undefined, { content: [{ type: 'image', data: 'x' }] }),
        'a text after an empty one': challenged(undefined, {
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'x' },
          ],
        }),
      },
      violation: {
        'no content': challenged(undefined, { content: undefined }),
        'an empty list': challenged(undefined, { content: [] }),
        'a blank text': challenged(undefined, { content: [{ type: 'text', text: ' \n' }] }),
        'a text without width': challenged(undefined, {
          content: [{ type: 'text', text: '\u200b\u200d' }],
        }),
        'no list': challenged(undefined, { content: 'Sign in.' }),
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
        'in an error of the protocol': before()
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

const deep = '['.repeat(100_000) + ']'.repeat(100_000)

/** Examples of a call without a token, and one with a token. */
export function servesNobody() {
  return {
    pass: {
      'challenged, then served': recording().complete(),
      'data that says nothing': withData({ notes: [], next: null, total: 0 }),
      'the same as a text': recording()
        .deployed()
        .call()
        .challenged(undefined, { structuredContent: { notes: [] } })
        .granted()
        .call()
        .served('{"notes":[]}'),
      'a word that any answer may have': recording()
        .deployed()
        .call()
        .challenged(undefined, { content: [{ type: 'text', text: '[] please' }] })
        .granted()
        .call()
        .served('[]'),
    },
    violation: {
      'a hundred thousand lists': recording()
        .deployed()
        .call()
        .challenged(undefined, { content: [{ type: 'text', text: `Sign in. ${deep}` }] })
        .granted()
        .call()
        .served(deep),
      'one that says something among others': withData({
        notes: [{ text: 'one' }],
        next: null,
      }),
      'as data': withData({ notes: ['one', 'two'] }),
      'it is said before the challenge': recording()
        .deployed()
        .call()
        .notified({ level: 'info', data: `found ${notes}` })
        .challenged()
        .granted()
        .call()
        .served(),
      'the challenge has it all': recording()
        .deployed()
        .call()
        .challenged(undefined, { content: [{ type: 'text', text: `Sign in. ${notes}` }] })
        .granted()
        .call()
        .served(),
    },
    inconclusive: {
      'nothing was served': recording().followed(),
      'it was served at once': recording().call().served(),
      'it was not answered': recording().call(),
    },
  }
}

/** The challenge and the result have the same data. */
function withData(structuredContent: Fields) {
  return recording()
    .deployed()
    .call()
    .challenged(undefined, { structuredContent })
    .granted()
    .call()
    .result({ content: [], structuredContent })
}

const listed = [{ id: 'n1', title: 'a note' }]

/** Examples of calls with a token that is wrong. */
export function refusesToken(): Cases {
  const called = () => recording().followed().token().call()
  const control = recording('challenged-then-served').complete()
  const judged = (recorded: ReturnType<typeof recording>) => [recorded, {}, control] as const

  return {
    pass: {
      'challenged again': judged(called().challenged()),
      'HTTP 401': judged(called().http(401)),
      'an error of the protocol': judged(called().error()),
      'an error result': judged(called().result({ isError: true, content: [] })),
      'the connection ends without an answer': judged(called().hungUp()),
    },
    violation: {
      served: judged(called().served()),
      'served with the scopes that it then asked for': judged(
        called().challenged(lacking).again().served(),
      ),
      'served the third time': judged(called().challenged().call().http(401).call().served()),
      'served with something else': judged(called().served('other notes')),
      'said before it is refused': judged(
        called()
          .notified({ data: [notes] })
          .challenged(),
      ),
      'served as an error': judged(
        called().challenged(undefined, { content: [{ type: 'text', text: notes }] }),
      ),
      'served beside the challenge': [
        called().challenged(undefined, { structuredContent: { notes: listed } }),
        {},
        recording('challenged-then-served').complete(JSON.stringify(listed, null, 1)),
      ],
    },
    inconclusive: {
      'not answered': judged(called()),
      'the harness gave it up': judged(called().hungUp('given-up')),
      'the call was not made': judged(recording().followed().token()),
      'it was made without that token': judged(recording().followed().call().served()),
      'nothing tells what a token opens': called().challenged(),
      'the control was not served': [
        called().challenged(),
        {},
        recording('challenged-then-served').followed(),
      ],
    },
  }
}

/** Examples of where a challenge leads, after what was recorded before the call. */
export function leadsToMetadata(before = () => recording().deployed()): Cases {
  const challenged = (value?: unknown) => before().call().challenged(value)
  return {
    pass: {
      'it is there': challenged().metadata(),
      'with a parameter of the media type': challenged().metadata(
        {},
        { type: 'application/json; charset=utf-8' },
      ),
      'at localhost': challenged('Bearer resource_metadata="http://localhost:4100/x"').fetched(
        'http://localhost:4100/x',
        {},
      ),
    },
    violation: {
      'no parameter': challenged('Bearer scope="x"'),
      'a path': challenged('Bearer resource_metadata="/x"'),
      'plain http': challenged('Bearer resource_metadata="http://notes.example/x"'),
      'not there': challenged().metadata({}, { status: 404 }),
      'a redirect': challenged().metadata({}, { status: 302 }),
      text: challenged().metadata({}, { type: 'text/plain' }),
      'a page': challenged().fetched(metadataUrl, '<h1>'),
      'a list': challenged().fetched(metadataUrl, '[]'),
      'nobody listens': challenged().unfetched(metadataUrl),
    },
    inconclusive: {
      'no challenge': before().call().served(),
      'no Bearer challenge': challenged('Basic realm="x"'),
      'not fetched': challenged(),
      'an origin that is not asked': challenged().unfetched(metadataUrl, 'foreign'),
    },
  }
}
