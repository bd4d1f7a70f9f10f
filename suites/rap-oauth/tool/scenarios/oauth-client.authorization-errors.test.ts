import { expect, test } from 'vitest'
import { describeChecks, recording, type Cases } from '../testing.ts'
import { deniedConsent } from './denied-consent.ts'
import { authorizationErrorScenarios } from './oauth-client.ts'

const returned = () => recording().asked().callback({ error: 'access_denied', state: 's' })

const served = recording('authorize-and-complete').authorized().access().result('[{"id":"1"}]')
const told = recording('authorize-and-complete').authorized().access().result('Done.')

const reported: Cases = {
  pass: {
    'a result describes it': returned().result('Error: denied'),
    'when the browser came once more, since it was too early': recording()
      .asked()
      .callback({ error: 'access_denied', state: 's' }, 429)
      .callback({ error: 'access_denied', state: 's' })
      .result('Error: denied'),
    'in any words, as JSON': [returned().result('{"fehler":"abgelehnt"}'), {}, served],
    'when its timeout was due': returned().after(4000).result('Error: the user denied it.'),
    'in other words than a success': [returned().result('Not done.'), {}, told],
    'in the words of a call that was not served either': [
      returned().result('Done.'),
      {},
      recording('authorize-and-complete').authorized().result('Done.'),
    ],
  },
  violation: {
    'no result': returned().gaveUp(),
    'an empty result': returned().result(''),
    'what a program writes for nothing': returned().result('Error: undefined'),
    'what it writes for anything': returned().result('"[object Object]"'),
    'a list of nothing': [returned().result('[]'), {}, served],
    'the words of a success': [returned().result('Done.'), {}, told],
    'only the timeout': returned().after(4000).result('Error: timed out'),
    'only the timeout, in words for both': returned()
      .after(4000)
      .result('Error: denied, or the time is over (expired)'),
  },
  inconclusive: {
    'the browser did not come back': recording().asked().result('Error: ?'),
    'it came back with a code': recording().asked().callback().result('Error: ?'),
    'that was one callback too many': recording()
      .asked()
      .callback({ error: 'access_denied', state: 's' }, 429)
      .gaveUp(),
    'the pending timeout may have been over when the browser came back': recording()
      .asked()
      .after(4000)
      .callback({ error: 'access_denied', state: 's' })
      .after(2500)
      .result('Error: timed out'),
  },
}

const single: Cases = {
  pass: { one: returned().result('Error: denied').window() },
  violation: { two: returned().result('Error: denied').result('Error: timed out').window() },
  inconclusive: { none: returned().gaveUp(), 'nobody watched': returned().result('Error: denied') },
}

const before = () => returned().result('Error: denied')

describeChecks(deniedConsent, {
  'oauth-client/report-denial': reported,
  'rap-oauth/tool/single-result': single,
  'rap-oauth/tool/send-oauth-message': {
    pass: { 'the second call is asked again': before().invoke().oauth() },
    violation: {
      'the denial is remembered': before().invoke().result('Error: denied'),
      'the second call gets nothing': before().invoke().gaveUp(),
    },
    inconclusive: {
      'there was no second call': before(),
      'the second call was not answered': before().invoke({}, 'open'),
    },
  },
})

test('every other error of RFC 6749 §4.1.2.1 has its scenario, and one of OpenID Connect', () => {
  expect(authorizationErrorScenarios.map(({ id }) => id)).toEqual([
    'authorization-error-invalid-request',
    'authorization-error-unauthorized-client',
    'authorization-error-unsupported-response-type',
    'authorization-error-invalid-scope',
    'authorization-error-server-error',
    'authorization-error-temporarily-unavailable',
    'authorization-error-login-required',
  ])
})

for (const scenario of authorizationErrorScenarios) {
  describeChecks(scenario, {
    'oauth-client/report-authorization-error': reported,
    'rap-oauth/tool/single-result': single,
  })
}
