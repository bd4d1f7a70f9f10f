/** Defects: what is read of a challenge, and which challenges are. */

import type { Defect } from './defect.ts'

type Fields = Readonly<Record<string, unknown>>

function challengeOf(result: Fields): unknown {
  return (result['_meta'] as Fields | undefined)?.['mcp/www_authenticate']
}

export const followingDefects: readonly Defect[] = [
  {
    id: 'results-ignored',
    description: 'only HTTP 401 is followed, and challenges in results are not looked at',
    parts: () => ({ challengesIn: () => [] }),
  },
  {
    id: 'second-challenge-only',
    description: 'the first challenge is taken for an error, and the next one followed',
    parts: ({ challengesIn }) => {
      let before = false
      return {
        challengesIn(result) {
          const found = challengesIn(result)
          if (before) return found
          before = found.length > 0
          return []
        },
      }
    },
  },
  {
    id: 'first-challenge-only',
    description: 'whoever has signed in once is not sent away again',
    parts: ({ authorize }) => {
      let done = false
      return {
        async authorize(signIn) {
          if (done) throw new Error('already signed in')
          await authorize(signIn)
          done = true
        },
      }
    },
  },
  {
    id: 'first-result-only',
    description: 'whoever has been served once is not sent away any more',
    parts: ({ challengesIn }) => {
      let served = false
      return {
        challengesIn(result) {
          if (served) return []
          const found = challengesIn(result)
          served = found.length === 0
          return found
        },
      }
    },
  },
  {
    id: 'modern-results-unread',
    description: 'challenges are looked at in revisions with a handshake alone',
    parts: ({ challengesIn, send }) => {
      let isModern = false
      return {
        send(url, init) {
          isModern ||= new Headers(init?.headers).get('mcp-method') === 'tools/call'
          return send(url, init)
        },
        challengesIn: (result) => (isModern ? [] : challengesIn(result)),
      }
    },
  },
  {
    id: 'well-known-always',
    description: 'the metadata is fetched at the well-known URL, whatever the challenge names',
    parts: ({ bearerAmong }) => ({
      bearerAmong(values) {
        const challenge = bearerAmong(values)
        return challenge && new Map([...challenge].filter(([name]) => name !== 'resource_metadata'))
      },
    }),
  },
  {
    id: 'needs-named-metadata',
    description: 'a challenge that does not name the metadata leads nowhere',
    parts: ({ bearerAmong }) => ({
      bearerAmong(values) {
        const challenge = bearerAmong(values)
        return challenge?.has('resource_metadata') ? challenge : undefined
      },
    }),
  },
  {
    id: 'well-known-with-path-alone',
    description: 'the metadata is looked for at the well-known URI with the path of the endpoint',
    parts: ({ fetchMetadata }) => ({
      fetchMetadata: (url, init) =>
        new URL(url).pathname === '/.well-known/oauth-protected-resource'
          ? Promise.resolve(new Response(null, { status: 404 }))
          : fetchMetadata(url, init),
    }),
  },
  {
    id: 'well-known-at-root-first',
    description:
      'metadata that is not named is looked for at the root before the path of the endpoint',
    parts({ bearerAmong, fetchMetadata }) {
      let isNamed = true
      return {
        bearerAmong(values) {
          const challenge = bearerAmong(values)
          isNamed = challenge?.has('resource_metadata') === true
          return challenge
        },
        async fetchMetadata(url, init) {
          const root = '/.well-known/oauth-protected-resource'
          const isElsewhere = isNamed || !new URL(url).pathname.startsWith(`${root}/`)
          const first = isElsewhere ? undefined : await fetchMetadata(new URL(root, url), init)
          return first?.ok ? first : fetchMetadata(url, init)
        },
      }
    },
  },
  {
    id: 'string-unread',
    description: 'a challenge that is no array is overlooked',
    parts: ({ challengesIn }) => ({
      challengesIn: (result) =>
        typeof challengeOf(result) === 'string' ? [] : challengesIn(result),
    }),
  },
  {
    id: 'first-string-only',
    description: 'of an array the first string is read alone',
    parts: ({ challengesIn }) => ({ challengesIn: (result) => challengesIn(result).slice(0, 1) }),
  },
  {
    id: 'challenge-found-by-pattern',
    description: 'what looks like a Bearer challenge is taken for one, in a quoted string as well',
    parts: () => ({
      bearerAmong(values) {
        const [, rest] = /bearer (.*)$/is.exec(values.join(', ')) ?? []
        const found = [...(rest ?? '').matchAll(/([a-z_]+)="?([^",]+)/gi)]
        // Of parameters that stand there twice the first one counts.
        const parameters = found
          .toReversed()
          .map(([, name = '', value = '']) => [name, value] as const)
        return rest === undefined ? undefined : new Map(parameters)
      },
    }),
  },
  {
    id: 'one-challenge-a-string',
    description: 'a string is taken for one challenge, whose scheme stands at its beginning',
    parts: ({ bearerAmong }) => ({
      bearerAmong: (values) => bearerAmong(values.filter((value) => /^bearer /i.test(value))),
    }),
  },
  {
    id: 'scheme-in-one-case',
    description: 'only "Bearer" is the scheme, and not "bearer"',
    parts: ({ bearerAmong }) => ({
      bearerAmong: (values) => bearerAmong(values.filter((value) => /(^|, *)Bearer /.test(value))),
    }),
  },
  {
    id: 'parameters-in-one-case',
    description: 'parameters of a challenge are looked up as they are spelled in the documents',
    parts: ({ bearerAmong }) => ({
      bearerAmong: (values) =>
        bearerAmong(values.map((value) => value.replaceAll(/[A-Z]\w+(?= *=)/g, 'other'))),
    }),
  },
  {
    id: 'needs-scope',
    description: 'a challenge without scope is no challenge',
    parts: ({ bearerAmong }) => ({
      bearerAmong(values) {
        const found = bearerAmong(values)
        return found?.has('scope') ? found : undefined
      },
    }),
  },
  {
    id: 'error-flag-ignored',
    description: 'every result with the key is a challenge, an error or not',
    parts: ({ challengesIn }) => ({
      challengesIn: (result) => challengesIn({ ...result, isError: true }),
    }),
  },
  {
    id: 'content-swallowed',
    description: 'where the challenge leads nowhere, the words of the server are not shown',
    parts: ({ bearerAmong }) => ({
      shown: (text, challenges) =>
        challenges.length > 0 && !bearerAmong(challenges) ? 'authorization required' : text,
    }),
  },
]
