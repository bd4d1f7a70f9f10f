import { describeChecks, recording, type Ending } from '../testing.ts'
import { insecureEndpoint } from './insecure-endpoint.ts'
import { issuerScenarios } from './oauth-client.ts'

const [wrongIssuer, wrongInError, missingIssuer] = issuerScenarios

const mixedUp = (answer: Ending = 200) =>
  recording().asked().callback({ code: 'c', state: 's', iss: 'https://evil.example' }, answer)

describeChecks(wrongIssuer!, {
  'oauth-client/validate-issuer': {
    pass: {
      'no token request': mixedUp().window(),
      'an error page': mixedUp(400).window(),
    },
    violation: {
      'the code is redeemed': mixedUp().grant().window(),
      'the code is presented': mixedUp().refused().window(),
    },
    inconclusive: {
      'the callback was not answered': mixedUp('refused').window(),
      'there was no iss': recording().asked().callback().window(),
      'only a login came back, which names the provider': recording()
        .asked()
        .upstream('/authorize')
        .callback({ code: 'c', state: 's', iss: 'https://127.0.0.1:4200' })
        .grant()
        .window(),
    },
  },
})

/** Three denials in a row: a genuine one, a code with a wrong iss, an error with a wrong iss. */
function threeAnswers(genuine: string, coded: string | undefined, denied: string | undefined) {
  const t = recording().asked().callback({ error: 'access_denied' }).result(genuine)
  t.asked().callback({ code: 'c', iss: 'https://evil.example' })
  if (coded !== undefined) t.result(coded)
  t.asked().callback({ error: 'access_denied', iss: 'https://evil.example' })
  if (denied !== undefined) t.result(denied)
  return t
}

describeChecks(wrongInError!, {
  'oauth-client/validate-issuer': {
    pass: {
      'the call stays pending': threeAnswers('Error: denied', undefined, undefined).window(),
      'both forgeries are reported alike': threeAnswers(
        'Error: denied',
        'Error: not trusted',
        'Error: not trusted',
      ).window(),
      'every failure is reported alike': threeAnswers(
        'Error: no',
        'Error: no',
        'Error: no',
      ).window(),
    },
    violation: {
      'it is taken for a denial': threeAnswers(
        'Error: denied',
        'Error: not trusted',
        'Error: denied',
      ).window(),
      'it alone ends the call': threeAnswers('Error: denied', undefined, 'Error: denied').window(),
    },
    inconclusive: {
      'nobody watched': threeAnswers('Error: denied', undefined, undefined),
      'it did not come back': recording().asked().asked().asked().window(),
      'the pending timeout may have ended it': recording()
        .asked()
        .callback({ error: 'access_denied' })
        .result('Error: no')
        .asked()
        .asked()
        .callback({ error: 'access_denied' })
        .after(4000)
        .result('Error: no')
        .window(),
    },
  },
})

const unnamed = () => recording().upstream('/.well-known/openid-configuration').asked().callback()

describeChecks(missingIssuer!, {
  'oauth-client/validate-issuer': {
    pass: { 'no token request': unnamed().result('Error: no iss') },
    violation: {
      'the code is redeemed': unnamed().grant().result(),
      'the code is presented': unnamed().refused().result('Error: no'),
    },
    inconclusive: {
      'it never asked for the metadata': recording().completed(),
      'no code came back': recording().upstream('/.well-known/x').asked(),
      'only a login came back, which names the provider': recording()
        .upstream('/.well-known/openid-configuration')
        .asked()
        .callback({ code: 'c', state: 's', iss: 'https://127.0.0.1:4200' })
        .grant()
        .result('Error: too late'),
    },
  },
  'oauth-client/never-permanently-pending': {
    pass: {
      'it completes': recording().completed(),
      'it refuses the response': recording().asked().callback().result('Error: no iss'),
    },
    violation: { 'the call does not end': recording().asked().callback().gaveUp(30_000) },
    inconclusive: { 'no code came back': recording().asked().gaveUp() },
  },
})

describeChecks(insecureEndpoint, {
  'rap-oauth/tool/auth-url-https': {
    pass: {
      'an error instead': recording().invoke().result('Error: insecure provider'),
      'an https URL all the same': recording().invoke().oauth(),
    },
    violation: {
      'an http URL': recording().invoke().oauth({ auth_url: 'http://provider.example/authorize' }),
      'an http URL in a later message': recording()
        .invoke()
        .result('Error: insecure')
        .oauth({ auth_url: 'http://provider.example/authorize' }),
    },
    inconclusive: { 'no message': recording().invoke().gaveUp() },
  },
})
