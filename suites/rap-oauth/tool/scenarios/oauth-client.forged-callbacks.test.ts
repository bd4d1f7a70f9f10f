import { expect, test } from 'vitest'
import {
  describeChecks,
  judge,
  providerOrigin,
  recording,
  type Cases,
  type Ending,
} from '../testing.ts'
import type { ToolScenario } from './define.ts'
import { forgedCallbackScenarios, reusedCallbackScenarios } from './oauth-client.ts'

const byId = (id: string): ToolScenario =>
  [...forgedCallbackScenarios, ...reusedCallbackScenarios].find((scenario) => scenario.id === id)!

/** The forged callback was delivered; what it causes comes next. */
const forged = (answer: Ending = 400) =>
  recording().asked().mark('forged').callback({ code: 'c', state: 'x' }, answer)

/** It caused nothing, and the genuine one follows. */
const genuine = (answer: Ending = 400) => forged(answer).window().mark('genuine').callback()

const noReach = {
  'it was not sent': recording().asked().mark('forged'),
  'it was not answered': forged('open').window().mark('genuine'),
  'it was refused at the door': forged('refused').window().mark('genuine'),
}

const noTokenRequest: Cases = {
  pass: {
    'nothing follows': genuine().grant(),
    'it was shown a page': genuine(200).grant(),
  },
  violation: {
    'tokens are fetched': forged().grant().window().mark('genuine').callback(),
    'the token request is refused': forged().refused().window().mark('genuine').callback(),
    'the authorization request has no state': recording()
      .invoke()
      .oauth()
      .authorizationRequest({ state: undefined })
      .mark('forged')
      .callback(),
  },
  inconclusive: noReach,
}

const served = recording().authorized().access().result('[{"id":"1"}]')

const completesNothing: Cases = {
  pass: {
    'nothing happens': genuine().grant().access().result(),
    'the call ends with an error': forged().result('Error: bad state').mark('genuine').callback(),
    'the call ends with a failure that does not begin so': forged()
      .result('The authorization was rejected.')
      .mark('genuine')
      .callback(),
    'the call ends in words of its own': [
      forged().result('Das war nicht der richtige Link.').mark('genuine').callback(),
      {},
      served,
    ],
    'a token request was refused': forged().refused().mark('genuine').callback(),
  },
  violation: {
    'a token is stored': forged().grant().mark('genuine').callback(),
    'the operation is carried out': forged().access().result('3 items').mark('genuine').callback(),
    'the call ends as if it had succeeded': [
      forged().result('[]').mark('genuine').callback(),
      {},
      served,
    ],
    'the call ends in the words of success': [
      forged().result('3 items').mark('genuine').callback(),
      {},
      recording().authorized().access().result('3 items'),
    ],
    'data of an account is sent': forged()
      .result('items of subject-of-user')
      .mark('genuine')
      .callback(),
  },
  inconclusive: noReach,
}

/** On a slow machine the declared timeout of 4 s may be over before the genuine callback. */
const slow = () => forged().after(3700)

const keepsCall: Cases = {
  pass: {
    'the genuine callback completes it': genuine().grant().access().result(),
    'the genuine callback completes it, however late': slow()
      .mark('genuine')
      .callback()
      .grant()
      .access()
      .result(),
  },
  violation: {
    'the forged one ends it': forged().result('Error: bad state').mark('genuine').callback(),
    'the genuine one is refused then': genuine().gaveUp(),
    'nobody listens for the genuine one': forged()
      .mark('genuine')
      .callback({ code: 'c', state: 's' }, 'refused')
      .gaveUp(),
  },
  inconclusive: {
    ...noReach,
    'the call may have timed out before': slow().mark('genuine').callback().gaveUp(),
    'the call may have timed out meanwhile': slow()
      .result('Error: not completed in time')
      .mark('genuine')
      .callback(),
  },
}

const badStates = ['missing', 'empty', 'altered', 'altered-late', 'unknown'].map(
  (each) => `state-${each}`,
)

for (const id of badStates) {
  describeChecks(byId(id), {
    'oauth-client/validate-state': noTokenRequest,
    'oauth-client/ignore-forged-callback': completesNothing,
    'oauth-client/forged-callback-keeps-call': keepsCall,
  })
}

describeChecks(byId('callback-without-code-and-error'), {
  'oauth-client/ignore-forged-callback': completesNothing,
})

test('a token that the forged callback fetched is no genuine completion', () => {
  const t = forged().grant().mark('genuine').callback({ code: 'c', state: 's' }, 400)
  const found = judge(byId('state-altered'), 'oauth-client/forged-callback-keeps-call', t)
  expect(found.outcome).not.toBe('pass')
})

test('a token request from before the forgery is none that it caused, however late the provider decides', () => {
  const place = { channel: 'provider', exchange: 'p9' } as const
  const t = recording()
    .asked()
    .callback()
    .event({ type: 'request', ...place, method: 'POST', url: providerOrigin, headers: {} })
    .mark('forged')
    .callback({ code: 'c', state: 's' }, 400)
    .event({
      type: 'provider',
      event: 'grant',
      exchange: place.exchange,
      detail: { grantType: 'authorization_code', outcome: 'issued', issued: ['access_token-1'] },
    })
    .window()
  const replay = byId('callback-replayed')
  expect(judge(replay, 'oauth-client/state-single-use', t).outcome).toBe('pass')
  const forgery = ['validate-state', 'ignore-forged-callback']
  for (const requirement of forgery)
    expect(judge(byId('state-altered'), `oauth-client/${requirement}`, t).outcome).toBe('pass')
})

/** A completed call, whose callback is delivered once more. */
const replayed = (answer: Ending = 400) =>
  recording().completed().mark('forged').callback({ code: 'c', state: 's' }, answer)

describeChecks(byId('callback-replayed'), {
  'oauth-client/state-single-use': {
    pass: { 'nothing follows': replayed().window() },
    violation: { 'the code is presented again': replayed().refused().window() },
    inconclusive: {
      'it was not delivered': recording().completed().mark('forged').window(),
      'it was not answered': replayed('refused').window(),
    },
  },
  'rap-oauth/tool/single-result': {
    pass: { 'no second result': replayed().window() },
    violation: { 'a second result': replayed().result('3 items').window() },
    inconclusive: { 'nobody watched': replayed() },
  },
})

/** The attacker is `call-1`, and the victim, whose flow is complete, `call-2`. */
const used = (answer: Ending = 400) =>
  recording().asked().completed().mark('forged').on('call-1').callback({ code: 'f' }, answer)

describeChecks(byId('used-state-with-fresh-code'), {
  'oauth-client/state-single-use': {
    pass: { 'nothing follows': used().window() },
    violation: { 'the fresh code is presented': used().grant().window() },
    inconclusive: { 'it was not answered': used('open').window() },
  },
  'rap-oauth/tool/single-result': {
    pass: { 'no second result': used().window() },
    violation: { 'a second result': used().on('call-2').result().window() },
    inconclusive: { 'no first result': recording().asked().authorized().window() },
  },
})

/** Two pending flows; the browser of the second comes back with the state of the first. */
const crossed = (answer: Ending = 400, state = 'other') =>
  recording()
    .asked()
    .invoke()
    .oauth()
    .authorizationRequest({ state })
    .decision()
    .mark('forged')
    .callback({ code: 'foreign', state: 's' }, answer)

for (const id of ['state-of-another-flow', 'state-of-another-user']) {
  describeChecks(byId(id), {
    'oauth-client/code-bound-to-flow': {
      pass: {
        'the code is not presented': crossed().window(),
        'the provider refuses it': crossed().refused().window(),
        'its own flow takes it, whatever its state': crossed(200).grant().result().window(),
      },
      violation: {
        'tokens are issued': crossed(200).grant().window(),
        'the other flow takes it': crossed(200).grant().on('call-1').result().window(),
      },
      inconclusive: {
        'it was not answered': crossed('refused').window(),
        'both flows have the same state': crossed(200, 's').grant().window(),
        'it was not sent': recording().asked().asked().mark('forged'),
      },
    },
  })
}

const twice = () => recording().asked().callback().callback()

describeChecks(byId('two-callbacks-at-once'), {
  'oauth-client/code-used-once': {
    pass: { 'one token request': twice().grant() },
    violation: { 'two token requests': twice().grant().refused() },
    inconclusive: {
      'it was delivered once': recording().authorized(),
      'the code was not presented': twice().gaveUp(),
    },
  },
  'rap-oauth/tool/single-result': {
    pass: { one: twice().grant().access().result().window() },
    violation: { two: twice().grant().access().result().result().window() },
    inconclusive: { none: twice().window() },
  },
})

const mismatchEndsCall = forged().result('Error: state mismatch').mark('genuine').callback()

for (const id of badStates) {
  describeChecks(byId(`error-with-${id}`), {
    'oauth-client/validate-state': {
      pass: {
        'the call stays pending': [genuine().grant(), {}, genuine()],
        'every mismatch ends the call': [mismatchEndsCall, {}, mismatchEndsCall],
      },
      violation: {
        'the forged error is believed': [
          forged().result('Error: denied').mark('genuine').callback(),
          {},
          genuine(),
        ],
      },
      inconclusive: {
        ...noReach,
        'the pending timeout may have ended it': [
          forged().after(3600).result('Error: timed out').mark('genuine').callback(),
          {},
          genuine(),
        ],
      },
    },
  })
}

test('a denial that is never reported does not keep the denied state from being tried', () => {
  const t = recording().asked().asked().callback({ error: 'access_denied' }).gaveUp()
  t.mark('forged').on('call-1').callback({ code: 'f' }).grant().window()
  const found = judge(byId('denied-state-with-code'), 'oauth-client/state-single-use', t)
  expect(found.outcome).toBe('violation')
})

/** The exchange failed, was reported, and the callback comes once more. */
const failed = (answer: Ending = 400) =>
  recording()
    .asked()
    .callback()
    .upstream('/token', 500)
    .refused('server_error')
    .result('Error: no token')
    .mark('forged')
    .callback({ code: 'c', state: 's' }, answer)

describeChecks(byId('state-of-failed-exchange'), {
  'oauth-client/state-single-use': {
    pass: { 'nothing follows': failed().window() },
    violation: {
      'the code is presented again': failed().grant().window(),
      'the state was opened again a little later': failed()
        .window()
        .callback({ code: 'c', state: 's' })
        .grant()
        .window(),
    },
    inconclusive: {
      'nothing was exchanged that could fail': recording()
        .asked()
        .mark('forged')
        .callback()
        .window(),
      'it was not answered': failed('refused').window(),
    },
  },
  'rap-oauth/tool/single-result': {
    pass: { 'no second result': failed().window() },
    violation: { 'a second result': failed().result().window() },
    inconclusive: { 'nobody watched': failed() },
  },
})

describeChecks(byId('denied-state-with-code'), {
  'oauth-client/state-single-use': {
    pass: { 'nothing follows': used().window() },
    violation: { 'the fresh code is presented': used().grant().window() },
    inconclusive: { 'it was not answered': used('open').window() },
  },
  'rap-oauth/tool/single-result': {
    pass: { 'no second result': used().window() },
    violation: { 'a second result': used().on('call-2').result().window() },
    inconclusive: { 'no first result': recording().asked().authorized().window() },
  },
})
