import { describeChecks, recording, type Ending } from '../testing.ts'
import { issuerScenarios } from './issuer.ts'

const [insecureEndpoint, wrongIssuer, missingIssuer] = issuerScenarios

const mixedUp = (answer: Ending = 200) =>
  recording().asked().callback({ code: 'c', state: 's', iss: 'https://evil.example' }, answer)

describeChecks(wrongIssuer!, {
  'rap-oauth/tool/validate-issuer': {
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
    },
  },
})

describeChecks(missingIssuer!, {
  'rap-oauth/tool/never-permanently-pending': {
    pass: {
      'it completes': recording().completed(),
      'it refuses the response': recording().asked().callback().result('Error: no iss'),
    },
    violation: { 'the call does not end': recording().asked().callback().gaveUp(30_000) },
    inconclusive: { 'no code came back': recording().asked().gaveUp() },
  },
})

describeChecks(insecureEndpoint!, {
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
