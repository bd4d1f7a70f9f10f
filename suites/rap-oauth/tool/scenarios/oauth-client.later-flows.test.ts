import { describeChecks, recording, type Ending } from '../testing.ts'
import { renewedFlowScenarios, stateAlteredAfterDenial } from './oauth-client.ts'

const [altered, replayed, issuerWrong, fails] = renewedFlowScenarios

const denied = () =>
  recording().asked().callback({ error: 'access_denied', state: 's' }).result('Error: denied')
const revoked = () => recording().completed()
type Recording = ReturnType<typeof recording>

/** The user is asked once more, and a callback that is not the genuine one comes. */
const forged = (before: Recording, answer: Ending = 400) =>
  before.asked().mark('forged').callback({ code: 'c', state: 'x' }, answer)

for (const [scenario, before] of [
  [stateAlteredAfterDenial, denied],
  [altered, revoked],
] as const) {
  describeChecks(scenario!, {
    'oauth-client/validate-state': {
      pass: { 'nothing follows': forged(before()).window().mark('genuine').callback().grant() },
      violation: { 'tokens are fetched': forged(before()).grant().window().mark('genuine') },
      inconclusive: {
        'the user was not asked again': before().invoke(),
        'it was not answered': forged(before(), 'open').window(),
      },
    },
  })
}

describeChecks(replayed!, {
  'oauth-client/state-single-use': {
    pass: {
      'nothing follows': forged(revoked()).window().mark('genuine').callback().grant(),
    },
    violation: {
      'the code is presented again': forged(revoked()).on('call-1').refused().mark('genuine'),
    },
    inconclusive: { 'the user was not asked again': revoked().invoke() },
  },
})

const mixedUp = (answer: Ending = 200) =>
  revoked().asked().callback({ code: 'c', state: 's', iss: 'https://evil.example' }, answer)

describeChecks(issuerWrong!, {
  'oauth-client/validate-issuer': {
    pass: { 'no token request': mixedUp().window() },
    violation: { 'the code is redeemed': mixedUp().grant().window() },
    inconclusive: {
      'the callback was not answered': mixedUp('refused').window(),
      'the user was not asked again': revoked().invoke(),
    },
  },
})

const failed = () => revoked().asked().callback({ error: 'server_error', state: 's' })
const served = recording('stored-token').authorized().access().result('[{"id":"1"}]')

describeChecks(fails!, {
  'oauth-client/report-authorization-error': {
    pass: { 'a result describes it': failed().result('Error: the provider failed') },
    violation: {
      'no result': failed().gaveUp(),
      'the words of a success': [failed().result('[{"id":"1"}]'), {}, served],
    },
    inconclusive: { 'the user was not asked again': revoked().invoke() },
  },
})
