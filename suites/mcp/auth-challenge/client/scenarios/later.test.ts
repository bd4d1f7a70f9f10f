import { describeExamples } from '../../../../testing.ts'
import { gate, options, recording, unchallenged, type Cases } from '../testing.ts'
import { laterScenarios } from './later.ts'

const second = () => recording().complete().begin().attempt().challenged()

const lacking = () => recording().complete().begin().attemptWithToken().challenged()

const later: Cases = {
  pass: {
    'by a flow': [second().signedIn().attemptWithToken().served(), {}, gate()],
    'by a token that was refreshed': [second().attemptWithToken().served(), {}, gate()],
  },
  violation: { 'nothing came': [second().gaveUp(), {}, gate()] },
  inconclusive: {
    'no second challenge': [recording().complete(), {}, gate()],
    'nobody waited': [second(), {}, gate()],
    'a flow that did not end': [second().opened().gaveUp(), {}, gate()],
    'nothing is ever followed': [second().gaveUp(), {}, recording('array').asked().gaveUp()],
  },
}

const refused = (times: number) => {
  const t = recording().asked().signedIn()
  for (let time = 0; time < times; time += 1) t.attemptWithToken().challenged()
  return t
}

const denied = () =>
  recording().asked().opened().requested().mark('denied').returned('error=access_denied')

describeExamples(
  laterScenarios,
  {
    'later-challenge': { 'mcp-auth-challenge/client/follow-chain': later },
    'token-refused-later': { 'mcp-auth-challenge/client/follow-chain': later },
    'second-call': {
      'mcp-auth-challenge/client/token-in-later-calls': {
        pass: { 'with the token': recording().complete().begin().attemptWithToken() },
        violation: {
          'without it': second(),
          'with what is no token': recording().complete().begin().attemptWithout(),
          'and another request without it': recording()
            .complete()
            .begin()
            .attemptWithToken()
            .served()
            .attempt(),
        },
        inconclusive: {
          'no second call': recording().complete().begin(),
          'served without a token': recording()
            .client()
            .begin()
            .attempt()
            .served()
            .begin()
            .attempt(),
        },
      },
    },
    'more-scope': {
      'oauth-client/request-scopes': {
        pass: {
          'it alone': lacking()
            .opened()
            .requested({ scopes: ['items:write'] }),
          'with the one from before': lacking().requested({
            scopes: ['items:read', 'items:write'],
          }),
        },
        violation: {
          'the one from before': lacking().requested(),
          'a refreshed token instead': lacking().attemptWithToken(),
          'nothing came': lacking().gaveUp(),
        },
        inconclusive: {
          'no second challenge': recording().complete(),
          'a call without a token': second(),
          'nobody waited': lacking(),
          'it had been requested at first': recording()
            .asked()
            .requested({ scopes: ['items:read', 'items:write'] })
            .begin()
            .attemptWithToken()
            .challenged()
            .requested(),
        },
      },
    },
    'for-ever': {
      'mcp-auth-challenge/client/bounded': {
        pass: { once: refused(1).window(), 'a few times': refused(5).window() },
        violation: { 'without end': refused(6) },
        inconclusive: {
          ...unchallenged(),
          'no token': recording().asked().opened(),
          'nobody watched': refused(1),
          'a further page was opened': refused(1).opened().window(),
          'the last call was not answered': refused(1).attemptWithToken().window(),
        },
      },
    },
    denied: {
      'mcp-auth-challenge/client/denied': {
        pass: { 'its user is told': denied().shown('You have denied.').window() },
        violation: {
          'the call is made again': denied().attempt(),
          'a page is opened again': denied().opened(),
          'not a word': denied().window(),
        },
        inconclusive: {
          ...unchallenged(),
          'no denial': recording().asked().opened(),
          'nobody watched': denied(),
        },
      },
    },
  },
  options,
)
