import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Ending } from '../testing.ts'
import { callbackIdentity } from './callback-identity.ts'

const attacked = (answer: Ending = 200) =>
  recording()
    .asked({ user_id: 'attacker' })
    .asked({ user_id: 'victim' })
    .on('call-1')
    .callback({ code: 'c', state: 's', user_id: 'victim' }, answer)

const fetched = () => attacked().grant().access().result().window().mark('victim')
const calls = () => fetched().invoke({ user_id: 'victim' })

describeChecks(callbackIdentity, {
  'rap-oauth/tool/identity-from-invocation': {
    pass: {
      'the victim is asked': calls().oauth(),
      'the callback was refused, and the victim is asked': attacked(400).invoke().oauth(),
    },
    violation: {
      "the victim gets the attacker's data": calls().result('3 items of subject-of-user'),
      "the attacker's token is used": calls().on('call-1').access().on('call-3').oauth(),
    },
    inconclusive: {
      'the tampered callback was not answered': attacked('refused').invoke().oauth(),
      'a result shows nobody whose it is': calls().result('3 items'),
      'the victim did not call': fetched(),
      'the victim got no message': calls().gaveUp(),
      'the attacker did not come back': recording().asked().asked().asked(),
    },
  },
})

test('an error result for the victim proves no misuse', () => {
  const t = calls().result('Error: another authorization is pending')
  const found = judge(callbackIdentity, 'rap-oauth/tool/identity-from-invocation', t)
  expect(found.outcome).not.toBe('violation')
})
