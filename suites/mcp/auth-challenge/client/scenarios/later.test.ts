import { describeExamples } from '../../../../testing.ts'
import { gate, options, recording, unchallenged, type Cases } from '../testing.ts'
import { laterScenarios } from './later.ts'

const token = 'Bearer [secret access_token-1]'
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

/** Two calls are challenged, and its user signs in once. */
const twoCalls = () =>
  recording().asked().opened().begin().attempt().challenged().on('call-1').granted().on('call-2')

const usedState = () =>
  recording().asked().opened().requested({ state: 's' }).returned().granted().mark('forged')
const stateless = () =>
  recording().asked().opened().requested({ codeChallengeMethod: 'S256' }).returned().granted()

const denied = () =>
  recording().asked().opened().requested().mark('denied').returned('error=access_denied')

describeExamples(
  laterScenarios,
  {
    'later-challenge': { 'mcp-auth-challenge/client/follow-chain': later },
    'token-refused-later': { 'mcp-auth-challenge/client/follow-chain': later },
    'second-call': {
      'mcp-auth-challenge/client/token-in-later-calls': {
        pass: {
          'with the token': recording().complete().begin().attemptWithToken(),
          'and an answer with it': recording()
            .complete()
            .begin()
            .attemptWithToken()
            .answersPing(token)
            .served(),
        },
        violation: {
          'without it': second(),
          'with what is no token': recording().complete().begin().attemptWithout(),
          'and an answer without it': recording()
            .complete()
            .begin()
            .attemptWithToken()
            .answersPing()
            .served(),
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
    'two-calls': {
      'mcp-auth-challenge/client/retry-with-token': {
        pass: {
          both: twoCalls().attemptWithToken().on('call-1').attemptWithToken(),
          'by two sign-ins': twoCalls()
            .opened()
            .granted()
            .attemptWithToken()
            .on('call-1')
            .attemptWithToken(),
        },
        violation: {
          'one of them': twoCalls().on('call-1').attemptWithToken().window(),
          'the later one alone': twoCalls().attemptWithToken().window(),
          'the same one twice': twoCalls()
            .attemptWithToken({ note: 'note of call-1' })
            .on('call-1')
            .attemptWithToken(),
        },
        inconclusive: {
          'no token': recording().asked().opened().begin().attempt().challenged(),
          'the second was not challenged': recording().complete().begin().attemptWithToken(),
          'nobody waited': twoCalls().on('call-1').attemptWithToken(),
          'its user was told': twoCalls().shown().on('call-1').attemptWithToken().window(),
        },
      },
    },
    'used-state-with-other-code': {
      'oauth-client/state-single-use': {
        pass: {
          'nobody listens any more': usedState().returnedInVain(),
          'nothing is redeemed': usedState().returned().window(),
        },
        violation: { 'the code is redeemed': usedState().returned().granted() },
        inconclusive: {
          'it did not come back': usedState().window(),
          'nobody watched': usedState().returned(),
        },
        'not-offered': {
          'without any state': stateless().mark('forged').returned().granted(),
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
        pass: {
          once: refused(1).shown().window(),
          'a few times': refused(5).shown().window(),
        },
        violation: { 'without end': refused(6) },
        inconclusive: {
          ...unchallenged(),
          'no token': recording().asked().opened(),
          'nobody watched': refused(1).shown(),
          'not a word': refused(1).window(),
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
