import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import { expect, test } from 'vitest'
import type { Sighting } from '../../../../harness/engine/index.ts'
import { describeChecks, judge, recording, sighting, type Cases, type Ending } from '../testing.ts'
import type { ToolScenario } from './define.ts'
import { exchangeErrorScenarios } from './oauth-client.ts'

const asked = (ending: Ending = 400) =>
  recording().asked().callback().upstream('/token', ending).refused()

const data = '[{"id":"1"}]'
const undisturbed = recording('authorize-and-complete').authorized().access().result(data)

const reported: Cases = {
  pass: {
    'a result describes it': asked().result('Error: the provider refused the code'),
    'the API served it all the same': [asked(403).access().result(data), {}, undisturbed],
    'the connection was closed': asked('refused').result('Error: no answer'),
  },
  violation: {
    'no result': asked().gaveUp(),
    'an empty result': asked().result(''),
    'data is made up': [asked(403).result(data), {}, undisturbed],
    'only the timeout ends it': asked().after(4000).result('Error: timed out'),
  },
  inconclusive: {
    'no token request was made': recording().asked().callback().result('Error: ?'),
    'nobody waited': asked(),
  },
}

/** The same without a demand for words: what ended may have succeeded. */
const ended: Cases = {
  pass: { ...reported.pass, 'an empty result': asked().result('') },
  violation: {
    'no result': asked().gaveUp(),
    'only the timeout ends it': asked().after(4000).result('Error: timed out'),
  },
  inconclusive: reported.inconclusive,
}

const single: Cases = {
  pass: { one: asked().result('Error: no').window() },
  violation: { two: asked().result('Error: no').result('Error: timed out').window() },
  inconclusive: { none: asked().window(), 'nobody watched': asked().result('Error: no') },
}

const pending: Cases = {
  pass: { 'the call ends': asked('open').after(9000).result('Error: no answer') },
  violation: { 'it does not': asked('open').gaveUp(30_000) },
  inconclusive: {
    'no token request was made': recording().asked().callback().gaveUp(),
    'it ends once it gets its answer': asked('open')
      .gaveUp(30_000)
      .step('release')
      .result('Error: no'),
  },
}

const accepted: Cases = {
  pass: { 'the token is used': recording().authorized().access() },
  violation: { 'it is not': recording().authorized().result('Error: bad response') },
  inconclusive: { 'no token was issued': asked().gaveUp() },
}

const exchanged: Cases = {
  pass: { 'tokens are issued': recording().authorized() },
  violation: {
    'the code was mangled': recording()
      .asked()
      .callback({ code: 'a/b+c' })
      .refused()
      .result('Error: refused'),
  },
  inconclusive: { 'no code came back': recording().asked() },
}

/** What the redirect led to arrives at another origin. */
function arrived(...secrets: Sighting[]) {
  const t = asked(307)
  const place = { channel: 'callback', exchange: 'e1', call: elsewhereCall } as const
  const url = 'http://127.0.0.1:4000/elsewhere'
  t.event({ type: 'request', ...place, method: 'POST', url, headers: {} }, ...secrets)
  return t.result('Error: no')
}

/** Every check of these scenarios, by requirement. */
const byRequirement: Readonly<Record<string, Cases>> = {
  'oauth-client/report-invalid-code': reported,
  'oauth-client/report-exchange-error': reported,
  'rap-oauth/tool/single-result': single,
  'oauth-client/accept-valid-token-response': accepted,
  'oauth-client/exchange-code': exchanged,
  'oauth-client/code-used-once': {
    pass: {
      once: asked().result('Error: no').window(),
      'once, and the user is asked anew': asked().oauth(),
      'again, when the client was not known': asked()
        .refused('invalid_client')
        .result('Error: no')
        .window(),
      'the code of another authorization': asked()
        .refused('invalid_grant', { presented: 'authorization_code-2' })
        .result('Error: no')
        .window(),
      'again, by the other method': asked()
        .refused('invalid_grant', { clientAuthentication: 'client_secret_post' })
        .result('Error: no')
        .window(),
    },
    violation: { again: asked().refused().result('Error: no').window() },
    inconclusive: {
      'no code was presented': recording().asked().callback().result('Error: no').window(),
      'nobody watched': asked(),
    },
  },
  'oauth-client/no-credentials-elsewhere': {
    pass: {
      'nothing arrives there': asked(307).result('Error: no').window(),
      'a request without anything': arrived().window(),
    },
    violation: {
      'the code arrives there': arrived(sighting('authorization_code')).window(),
      'the code arrives there, and nobody watched on': arrived(sighting('authorization_code')),
    },
    inconclusive: {
      'no token request was made': recording().asked().callback().window(),
      'nobody watched': asked(307).result('Error: no'),
    },
  },
}

/** An answer that it may or may not use must end the call by itself; an endless one may do so by its timeout. */
const ends = (scenario: ToolScenario): Cases =>
  scenario.id === 'exchange-never-answered' ? pending : ended

for (const scenario of exchangeErrorScenarios) {
  const cases = Object.fromEntries(
    scenario.checks.map(({ requirement }) => [
      requirement,
      requirement === 'oauth-client/never-permanently-pending'
        ? ends(scenario)
        : byRequirement[requirement]!,
    ]),
  )
  describeChecks(scenario, cases)
}

test('every error of RFC 6749 §5.2 and every unusable answer has its scenario', () => {
  const ids = exchangeErrorScenarios.map(({ id }) => id)
  expect(ids).toHaveLength(new Set(ids).size)
  for (const error of [
    'invalid-request',
    'invalid-client',
    'invalid-grant',
    'unauthorized-client',
    'unsupported-grant-type',
    'invalid-scope',
  ]) {
    expect(ids).toContain(`exchange-token-error-${error}`)
  }
})

test('a successful result without words is an end of the call', () => {
  const scenario = exchangeErrorScenarios.find(
    ({ id }) => id === 'exchange-token-expires-in-string',
  )!
  const image = { type: 'image', data: 'aGk=', mediaType: 'image/png' }
  const t = recording()
    .authorized()
    .access()
    .result('', { text: undefined, content: [image] })
  const found = judge(scenario, 'oauth-client/never-permanently-pending', t)
  expect(found.outcome).toBe('pass')
})
