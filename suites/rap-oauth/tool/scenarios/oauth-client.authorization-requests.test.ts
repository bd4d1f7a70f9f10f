import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeChecks, judge, recording } from '../testing.ts'
import { authorizationRequests } from './oauth-client.ts'

type Sent = { id: string; user: string; number: number }

/** Deterministic, and as unlike each other as random bytes. */
const random = (seed: number | string, length = 24) =>
  createHash('sha512').update(`seed ${seed}`).digest().subarray(0, length)

/** Four users who were asked, with authorization requests that say so. */
function asked(detail: (sent: Sent) => Record<string, unknown>, users = 4) {
  const t = recording()
  for (let number = 1; number <= users; number += 1) {
    const sent = { id: `id-${random(`id${number}`, 9).toString('hex')}`, user: `user-${number}` }
    const codeChallenge = random(`challenge ${number}`, 32).toString('base64url')
    const state = random(number).toString('base64url')
    t.invoke({ id: sent.id, user_id: sent.user }).oauth()
    t.authorizationRequest({ codeChallenge, state, ...detail({ ...sent, number }) })
  }
  return t
}

const states = (state: (sent: Sent) => unknown) => asked((sent) => ({ state: state(sent) }))
const jwt = (payload: unknown, signature: Buffer) =>
  ['{"alg":"HS256"}', JSON.stringify(payload), signature]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

describeChecks(authorizationRequests, {
  'oauth-client/state-unpredictable': {
    pass: {
      'random bytes in base64url': states(({ number }) => random(number).toString('base64url')),
      'random bytes in hex': states(({ number }) => random(number, 16).toString('hex')),
      'UUIDs of version 4': states(({ number }) => {
        const hex = random(number, 16).toString('hex')
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
      }),
      'random bytes between constant parts': states(
        ({ number }) => `v1.${random(number).toString('base64url')}.prod`,
      ),
      'the call and random bytes': states(
        ({ number, id }) => `${id}.${random(number).toString('base64url')}`,
      ),
      'a signed token about the call': states(({ number, id }) => jwt({ id }, random(number, 32))),
      '24 random digits': states(({ number }) =>
        BigInt(`0x${random(number, 16).toString('hex')}`)
          .toString()
          .slice(0, 24),
      ),
    },
    violation: {
      none: states(() => undefined),
      'an empty one': states(() => ''),
      'one that is the same for all': states(() => random(1).toString('base64url')),
      'one that comes twice': states(({ number }) => random(number % 3).toString('base64url')),
      'a counter': states(({ number }) => `state-${number}`),
      'an ObjectId': states(
        ({ number }) => `6745a1b${number}3f9c2d8e7a4051${(0x4c + number).toString(16)}`,
      ),
      'a time': states(({ number }) => `1700000000${number}${number}7`),
      'the id of the call': states(({ id }) => id),
      'the user': states(({ user }) => user),
      'the id in base64': states(({ id }) => Buffer.from(id).toString('base64')),
      'the id in hexadecimal': states(({ id }) => Buffer.from(id).toString('hex').toUpperCase()),
      'the hash of the id': states(({ id }) => createHash('sha256').update(id).digest('hex')),
      'the hash of the user in base64url': states(({ user }) =>
        createHash('md5').update(user).digest('base64url'),
      ),
      'the id between constant parts': states(({ id }) => `v1:${id}:x`),
      'readable JSON about the call': states(({ id, user }) =>
        Buffer.from(JSON.stringify({ id, user })).toString('base64url'),
      ),
    },
    inconclusive: {
      'too few requests': asked(() => ({}), 3),
      'no request': recording().invoke().oauth(),
    },
  },
  'oauth-client/pkce-s256': {
    pass: { 'a new challenge each time': asked(() => ({})) },
    violation: {
      'the same challenge': asked(() => ({ codeChallenge: 'c'.repeat(43) })),
      'no challenge': asked(() => ({ codeChallenge: undefined })),
      'one without': asked(({ number }) => (number === 3 ? { codeChallenge: undefined } : {})),
    },
    inconclusive: { 'too few requests': asked(() => ({}), 3) },
  },
  'oauth-client/stable-redirect-uri': {
    pass: {
      'the same every time': asked(() => ({})),
      'two registered ones, each matched exactly': asked(({ id }) => ({
        redirectUri: `https://tool.example/cb/${/[24]/.test(id) ? 'even' : 'odd'}`,
      })),
    },
    violation: {
      'one for each call': perCall(),
      'one for each call, matched loosely': [
        asked(({ id }) => ({ redirectUri: `https://tool.example/cb?id=${id}` })),
        { redirectMatching: 'ignore-query' },
      ],
    },
    inconclusive: { 'too few requests': asked(() => ({}), 3) },
  },
})

/** Only the first of them is registered. */
function perCall(place = 'cb?id=') {
  return asked(({ id }) => ({
    redirectUri: `https://tool.example/${place}${id}`,
    valid: id.includes('1'),
  }))
}

test('only with exact matching the message says how to go on', () => {
  const changing = perCall()
  const message = (redirectMatching: 'exact' | 'ignore-query') =>
    judge(authorizationRequests, 'oauth-client/stable-redirect-uri', [
      changing,
      { redirectMatching },
    ]).message
  expect(message('exact')).toContain('provider.redirectMatching')
  expect(message('ignore-query')).not.toContain('provider.redirectMatching')
})

test('a path that changes is served by no provider, so no setting lets the run go on', () => {
  const found = judge(authorizationRequests, 'oauth-client/stable-redirect-uri', perCall('cb/'))
  expect(found).toMatchObject({ outcome: 'violation' })
  expect(found.message).not.toContain('provider.redirectMatching')
  expect(found.message).toContain('RFC 6749 §3.1.2.2')
})

test('of several requests of a call the first one counts', () => {
  const t = asked(() => ({}), 3)
  t.authorizationRequest({ state: 'again' })
  const found = judge(authorizationRequests, 'oauth-client/state-unpredictable', t)
  expect(found.message).toContain('only 3')
})
