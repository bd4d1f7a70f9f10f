import { expect, test } from 'vitest'
import { describeChecks, providerOrigin, recording, type Cases } from '../testing.ts'
import { unusableTokenScenarios } from './oauth-client.ts'

const control = recording().completed()
const asked = () => recording().asked().callback().upstream('/token')
const refused = () => asked().result('Error: no').window()

/** A request to the API with what no provider has issued. */
const presents = (t: ReturnType<typeof recording>, authorization: string) =>
  t.event({
    type: 'request',
    channel: 'provider',
    exchange: 'api',
    call: 'call-1',
    method: 'GET',
    url: `${providerOrigin}/resource/items`,
    headers: { authorization },
  })

const inconclusive: Cases['inconclusive'] = {
  'no token request': [recording().asked().callback().result('Error').window(), {}, control],
  'the user does not come again': [refused(), {}, control],
  'nothing came of it': [refused().invoke(), {}, control],
  'tokens are never used': [refused().asked(), {}, recording().authorized()],
  'nobody watched': [asked(), {}, control],
}

const ends = {
  'the later call ends in an error': [
    refused().invoke().result('Error: the API refused'),
    {},
    control,
  ],
} as const

/** A token was issued, which the client must not use. */
const issued: Cases = {
  pass: { 'the user is asked again': [asked().grant().result('No').window().asked(), {}, control] },
  violation: {
    'it is used at once': [asked().grant().access().result(), {}, control],
    'it is used when the user comes again': [
      asked().grant().result('No').window().invoke().on('call-1').access(),
      {},
      control,
    ],
    ...ends,
  },
  inconclusive,
}

/** Nothing was given that could be a token. */
const none: Cases = {
  pass: {
    'the user is asked again': [refused().asked(), {}, control],
    'the API is asked without a token': [
      asked().upstream('/resource/items', 401).result('No').window().asked(),
      {},
      control,
    ],
  },
  violation: {
    'it is presented': [
      presents(asked(), 'Bearer null').result('No').window().asked(),
      {},
      control,
    ],
    'nothing at all is presented': [presents(asked(), 'Bearer').result('No'), {}, control],
    ...ends,
  },
  inconclusive,
}

const failed = asked().result('Error: no tokens')
const reported: Cases = {
  pass: { 'a result describes it': failed },
  violation: { 'no result': asked().gaveUp() },
  inconclusive: { 'no token request was made': recording().asked().callback().gaveUp() },
}

const single: Cases = {
  pass: { one: refused() },
  violation: { two: asked().result('Error: no').result('3 items').window() },
  inconclusive: { none: asked().window() },
}

const byRequirement: Readonly<Record<string, Cases>> = {
  'oauth-client/no-token-of-error': issued,
  'oauth-client/token-type-known': issued,
  'oauth-client/token-is-text': none,
  'oauth-client/report-exchange-error': reported,
  'oauth-client/never-permanently-pending': reported,
  'rap-oauth/tool/single-result': single,
}

for (const scenario of unusableTokenScenarios) {
  const cases = scenario.checks.map(
    ({ requirement }) => [requirement, byRequirement[requirement]!] as const,
  )
  describeChecks(scenario, Object.fromEntries(cases))
}

test('what is no token, and what may not be one, has its scenario', () => {
  expect(unusableTokenScenarios.map(({ id }) => id)).toEqual([
    'exchange-token-forbidden',
    'exchange-token-null-access-token',
    'exchange-token-empty-access-token',
    'exchange-token-numeric-access-token',
    'exchange-token-unknown-token-type',
  ])
})
