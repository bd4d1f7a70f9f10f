import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Recording } from '../testing.ts'
import { concurrencyScenarios } from './concurrency.ts'

const [manyUsers, twoCalls] = concurrencyScenarios as [
  (typeof concurrencyScenarios)[0],
  (typeof concurrencyScenarios)[0],
]

const both = () => recording().completed().completed()
const one = () => recording().completed().authorized()

describeChecks(twoCalls, {
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
      'although the other did not complete': recording()
        .authorized()
        .asked()
        .oauth({ id: 'id of call-1' }),
    },
    inconclusive: {
      'one did not complete': one().gaveUp(),
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
