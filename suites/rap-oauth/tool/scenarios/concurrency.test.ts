import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Cases, type Recording } from '../testing.ts'
import { concurrencyScenarios } from './concurrency.ts'

type Scenario = (typeof concurrencyScenarios)[0]

const [manyUsers, twoCalls, oneTurn, sameId] = concurrencyScenarios as [
  Scenario,
  Scenario,
  Scenario,
  Scenario,
]

/** What a call does that is alone. */
const alone = recording().completed()

const both = () => recording().completed().completed()
const one = () => recording().completed().authorized()

/** Two calls, the second of which is acknowledged by now; their user decides before or after that. */
const decide = (t: Recording): Recording => t.step('decide', { action: 'approve' })
const waiting = (): Recording => recording().asked().invoke({}, 'open')

const acknowledged = {
  pass: {
    'before the user decides': decide(waiting().ack(200)),
    'late, but before the user decides': decide(waiting().after(6000).ack(200)),
  },
  violation: { 'when the user has decided': decide(waiting().after(6000)).ack(200) },
  inconclusive: {
    'the user decided too soon': decide(waiting()).after(500).ack(200),
    'nobody decided': waiting().ack(200),
    'on a machine that is always late': decide(
      recording().invoke({}, 'open').after(2500).ack(200).invoke({}, 'open').after(6000),
    ).ack(200),
  },
} satisfies Cases

describeChecks(twoCalls, {
  'rap-oauth/tool/acknowledge-immediately': acknowledged,
  'rap-oauth/tool/isolate-concurrent-calls': {
    pass: { 'each gets its own': both() },
    violation: {
      'the id of the other call': one().result('', { id: 'id of call-1' }),
      'the group of the other call': one().result('', { group_id: 'thread of call-1' }),
      'the other call in an oauth message': one().oauth({ id: 'id of call-1' }),
      'its genuine callback is not accepted': recording()
        .completed()
        .asked()
        .callback({ code: 'c', state: 's' }, 400)
        .result('Error: not valid'),
      'its genuine callback is not accepted, told in words of its own': recording()
        .completed()
        .asked({ user_id: 'other' })
        .callback({ code: 'c', state: 's' }, 400)
        .result('invalid_grant: try again'),
      'although the other did not complete': recording()
        .authorized()
        .asked()
        .oauth({ id: 'id of call-1' }),
      'one did not complete': [one().gaveUp(), {}, alone],
      'one got no message at all': [
        recording().completed().invoke({ user_id: 'other' }).gaveUp(),
        {},
        alone,
      ],
    },
    inconclusive: {
      'one did not complete, nor does one that is alone': [
        one().gaveUp(),
        {},
        recording().authorized(),
      ],
      'one did not complete in the time that it was given': [one().gaveUp(5000), {}, alone],
      'nobody came back for one': [recording().completed().asked().gaveUp(), {}, alone],
      'a user who is asked already is not asked for the other': [
        recording().asked().invoke().gaveUp(),
        {},
        alone,
      ],
      'one is refused': [recording().completed().invoke({}, 400).gaveUp(), {}, alone],
      'there was only one': recording().completed(),
      'the time of one may have been up before its callback': recording()
        .completed()
        .asked()
        .after(3700)
        .callback({ code: 'c', state: 's' }, 400)
        .result('Error: not completed in time'),
      'the provider may have been too slow for one': recording()
        .completed()
        .asked()
        .callback({ code: 'c', state: 's' })
        .after(2500)
        .result('Error: the provider did not answer'),
      'an id of no call, and it did not complete': recording().authorized().oauth({ id: 'x' }),
    },
  },
  'rap-oauth/tool/single-result': {
    pass: { once: both().window() },
    violation: {
      'the first twice': both().on('call-1').result().window(),
      'the second twice': both().on('call-2').result().window(),
    },
    inconclusive: {
      'the first not at all': recording().authorized().completed().window(),
      'the second not at all': one().window(),
    },
  },
})

const ids = { id: 'call_0' }
const other = { ...ids, user_id: 'other' }
const shared = { group_id: 'thread', callback_url: 'http://127.0.0.1:4000/callback/both' }

describeChecks(sameId, {
  'rap-oauth/tool/isolate-concurrent-calls': {
    pass: { 'each gets its own': recording().completed(ids).completed(other) },
    violation: {
      'the group of the other call': recording()
        .completed(ids)
        .authorized(other)
        .result('', { group_id: 'thread of call-1' }),
      'the first is lost': [recording().authorized(ids).gaveUp().completed(other), {}, alone],
    },
    inconclusive: { 'one did not complete': recording().completed(ids).authorized(other) },
  },
})

describeChecks(oneTurn, {
  'rap-oauth/tool/acknowledge-immediately': acknowledged,
  'rap-oauth/tool/acknowledge-with-200': {
    pass: { 'both are taken': recording().completed(shared).completed(shared) },
    violation: {
      'the second is refused': recording().completed(shared).invoke(shared, 409),
      'both are refused': recording().invoke(shared, 400).invoke(shared, 400),
    },
    inconclusive: {
      'one is too many': recording().completed(shared).invoke(shared, 429),
      'one meets a server that fails': recording().completed(shared).invoke(shared, 503),
      'there was only one': recording().completed(shared),
    },
  },
  'rap-oauth/tool/isolate-concurrent-calls': {
    pass: { 'each gets its own': recording().completed(shared).completed(shared) },
    violation: {
      'the first is lost': [recording().authorized(shared).gaveUp().completed(shared), {}, alone],
    },
    inconclusive: { 'there was only one': recording().completed(shared) },
  },
  'rap-oauth/tool/single-result': {
    pass: { once: recording().completed(shared).completed(shared).window() },
    violation: { 'the second twice': recording().authorized(shared).completed(shared).result() },
    inconclusive: {
      'the first not at all': recording().authorized(shared).completed(shared),
      'an id of no call': recording()
        .completed(shared)
        .result('', { id: 'x' })
        .completed(shared)
        .window(),
    },
  },
})

const users = Array.from({ length: 20 }, (_, index) => `subject-of-user-${index + 1}-end`)

/** Twenty users complete, with the result that each of them gets. */
function crowd(text: (index: number) => string | undefined, count = 20): Recording {
  const t = recording().mark('users', { subjects: users })
  for (let index = 0; index < count; index += 1) {
    t.invoke({ user_id: `user-${index + 1}` })
      .oauth()
      .authorizationRequest()
      .decision({ subject: users[index] })
    t.callback().grant().access()
    const result = text(index)
    if (result !== undefined) t.result(result)
  }
  return t.window()
}

/** The last of twenty come back when the time of their calls may have been up. */
function crowdWithLatecomers(count: number): Recording {
  const t = crowd(() => '3 items', 20 - count)
  for (let index = 0; index < count; index += 1)
    t.asked().after(3700).callback().result('Error: not completed in time')
  return t.window()
}

describeChecks(manyUsers, {
  'rap-oauth/tool/isolate-concurrent-calls': {
    pass: {
      'every user gets their own data': crowd((index) => `items of ${users[index]}`),
      'the data names nobody': crowd(() => '3 items'),
      'some of them asked too much at once': crowd((index) =>
        index > 16 ? 'Error: Too many calls.' : '3 items',
      ),
      'the time of some may have been up before their users were back': crowdWithLatecomers(3),
    },
    violation: {
      "one gets another user's data": crowd((i) => `items of ${users[i === 7 ? 8 : i]}`),
    },
    inconclusive: {
      'all but one asked too much at once': crowd((index) =>
        index > 0 ? 'Error: Too many calls.' : '3 items',
      ),
      'one call did not complete': crowd((index) => (index === 7 ? undefined : 'items')),
      'the time of all but one may have been up': crowdWithLatecomers(19),
      'there were fewer calls': crowd(() => 'items', 19),
    },
  },
  'rap-oauth/tool/single-result': {
    pass: { 'one for each': crowd(() => 'items') },
    violation: {
      'two for one of them': crowd(() => 'items')
        .on('call-9')
        .result('again'),
    },
    inconclusive: { 'none for one of them': crowd((i) => (i === 7 ? undefined : 'items')) },
  },
})

test('a call without a result does not hide another that has two', () => {
  const t = crowd((index) => (index === 2 ? undefined : 'items'))
  const found = judge(manyUsers, 'rap-oauth/tool/single-result', t.on('call-9').result('again'))
  expect(found.outcome).toBe('violation')
})

test('no call at all is no proof', () => {
  const found = judge(manyUsers, 'rap-oauth/tool/single-result', recording())
  expect(found.outcome).toBe('inconclusive')
})

test('a message that has no id by its own definition is not crossed', () => {
  const t = both().on('call-1').message({ type: 'view_update', id: undefined, call_id: undefined })
  const found = judge(twoCalls, 'rap-oauth/tool/isolate-concurrent-calls', t)
  expect(found.outcome).toBe('pass')
})
