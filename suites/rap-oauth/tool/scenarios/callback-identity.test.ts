import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Ending } from '../testing.ts'
import { callbackIdentity } from './callback-identity.ts'

const attacked = (answer: Ending = 200) =>
  recording()
    .asked({ user_id: 'victim' })
    .asked({ user_id: 'attacker' })
    .callback({ code: 'c', state: 's', user_id: 'victim' }, answer)

const served = (answer: Ending = 200) => attacked(answer).grant().access().result().window()
const attack = { attackers: 'call-2', victims: 'call-3' }
const calls = () => served().invoke({ user_id: 'victim' }).mark('attack', attack)
const refused = () => attacked(400).window().invoke({ user_id: 'victim' }).mark('attack', attack)
/** Then another attacker, whose callback is altered in another place. */
const again = (answer: Ending) =>
  refused()
    .oauth()
    .asked({ user_id: 'attacker' })
    .callback({ code: 'd', state: 's', rid: 'r' }, answer)
const next = { attackers: 'call-4', victims: 'call-5' }

describeChecks(callbackIdentity, {
  'rap-oauth/tool/identity-from-invocation': {
    pass: {
      'the victim is asked': calls().oauth(),
      'the victim is refused in whatever words': calls().result('Sorry, that is not possible.'),
      'one callback was refused, the other honoured, and the victim is asked': again(200)
        .grant()
        .access()
        .result()
        .invoke({ user_id: 'victim' })
        .mark('attack', next)
        .oauth(),
    },
    violation: {
      "the victim gets the attacker's data": calls().result('3 items of subject-of-user'),
      "the attacker's token is used": calls().on('call-2').access().on('call-3').oauth(),
      'one of two alterations is believed': again(200)
        .grant()
        .access()
        .result()
        .invoke({ user_id: 'victim' })
        .mark('attack', next)
        .on('call-4')
        .access()
        .on('call-5')
        .result('3 items of subject-of-user'),
    },
    inconclusive: {
      'the victim asked too much at once': calls().result('Error: Too many calls.'),
      'the only tampered callback was refused': refused().oauth(),
      'the tampered callback was not answered': served('refused')
        .invoke()
        .mark('attack', attack)
        .oauth(),
      'a result shows nobody whose it is': calls().access().result('3 items'),
      'the victim did not call': served(),
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
