import { expect, test } from 'vitest'
import { recording, type Ending, type Recording } from './testing.ts'
import { attempts, isTransient } from './redelivery.ts'
import { delivered } from './view.ts'

/** A result that its tool delivers until it is taken; each attempt is answered like this. */
function attempted(...endings: readonly Ending[]): Recording {
  const t = recording().running()
  const { callback_url: url } = t.invocation
  endings.forEach((ending, nth) => {
    // The invocation and the request to the model come before.
    const exchange = `x${nth + 3}`
    if (nth === 0) t.step('deliver', { name: 'result', exchange, redelivers: true })
    else t.step(attempts.again, { of: 'x3', exchange })
    t.exchange('callback', url, '{}', ending)
  })
  return t
}

const answerOf = (t: Recording): unknown => {
  const { request, answer } = delivered(t.transcript, 'result') ?? {}
  if (request?.exchange !== 'x3') return 'not the first request'
  return answer?.type === 'response' ? answer.status : answer?.code
}

test.each<[string, unknown, readonly Ending[]]>([
  ['at once', 200, [200]],
  ['refused for good', 409, [409]],
  ['at the third attempt', 200, [503, 'ECONNRESET', 200]],
  ['another attempt is to follow', undefined, [503]],
  ['another attempt is under way', undefined, [503, 'open']],
  ['never answered', 'timeout', ['timeout']],
  ['it died', 'ECONNRESET', ['ECONNRESET', 'ECONNREFUSED']],
  ['nobody was there', 'ECONNREFUSED', ['ECONNREFUSED']],
])('%s: %s', (_, answer, endings) => {
  expect(answerOf(attempted(...endings))).toBe(answer)
})

test('who fails at every attempt has failed', () => {
  const t = attempted(503, 500)
  expect(answerOf(t)).toBeUndefined()
  expect(answerOf(t.step(attempts.noMore, { of: 'x3' }))).toBe(500)
})

test('what is sent once has the answer that came', () => {
  expect(
    delivered(recording().running().result('result', { answer: 503 }).transcript, 'result'),
  ).toHaveProperty('answer.status', 503)
})

test.each<[boolean, Parameters<typeof isTransient>[0]]>([
  [true, { type: 'response', status: 500 }],
  [false, { type: 'response', status: 499 }],
  [true, { type: 'failure', code: 'ECONNRESET' }],
  [false, { type: 'failure', code: 'timeout' }],
  [false, { type: 'failure', code: 'ECONNREFUSED' }],
])('%s: %j', (transient, ending) => {
  expect(isTransient(ending)).toBe(transient)
})
