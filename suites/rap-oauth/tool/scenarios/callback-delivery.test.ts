import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Cases, type Recording } from '../testing.ts'
import { callbackDeliveryScenarios } from './callback-delivery.ts'

const [forOauth, forResult, disconnected, gone] = callbackDeliveryScenarios

test('each is what its id says', () => {
  expect(callbackDeliveryScenarios.map(({ id }) => id)).toEqual([
    'callback-503-for-oauth',
    'callback-503-for-result',
    'callback-receiver-restarts',
    'callback-410',
  ])
})

const message = (type: string, text?: string) => JSON.stringify({ type, text })

/** Deliveries of one message that first fails. */
function redelivered(type: 'oauth' | 'tool_result', begin: () => Recording): Cases {
  const failed = () => begin().deliver(message(type), { answer: 503 })
  return {
    pass: {
      'it comes again': failed().deliver(message(type)),
      'it comes again after the connection was cut': begin()
        .deliver(message(type), { answer: 'refused' })
        .deliver(message(type)),
    },
    violation: { 'it does not come again': failed().gaveUp() },
    inconclusive: {
      'it did not come at all': begin().gaveUp(),
      'nobody waited for another': failed(),
      'the first delivery was not answered': begin()
        .deliver(message(type), { answer: 'open' })
        .gaveUp(),
      'another message came again': begin().deliver(message('view')).deliver(message('view')),
    },
  }
}

const retried = 'rap-oauth/tool/retry-callback-delivery'
describeChecks(forOauth!, { [retried]: redelivered('oauth', () => recording().invoke()) })

test('another result after the failed delivery is not its redelivery', () => {
  const t = recording().authorized().access().deliver(message('tool_result', '3'), { answer: 503 })
  const other = judge(forResult!, retried, t.deliver(message('tool_result', 'Error: no answer')))
  expect(other.outcome).toBe('violation')
})

for (const scenario of [forResult!, disconnected!]) {
  describeChecks(scenario, {
    [retried]: redelivered('tool_result', () => recording().authorized().access()),
  })
}

const refused = () =>
  recording().authorized().access().deliver(message('tool_result', '3 items'), { answer: 410 })

describeChecks(gone!, {
  'rap-oauth/tool/no-callback-retry-on-4xx': {
    pass: { 'nothing came within the window': refused().window() },
    violation: {
      'it came again': refused()
        .deliver(message('tool_result', '3 items'), { answer: 410 })
        .window(),
    },
    inconclusive: {
      'no result was delivered': recording().authorized().gaveUp(),
      'nobody watched': refused(),
      'it was not answered': recording()
        .authorized()
        .deliver(message('tool_result', 'x'), { answer: 'open' })
        .window(),
    },
  },
})
