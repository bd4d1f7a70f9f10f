import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Cases, type Recording } from '../testing.ts'
import { callbackDeliveryScenarios } from './callback-delivery.ts'

const [failingAgain, forOauth, forResult, forError, disconnected, ...gone] =
  callbackDeliveryScenarios

test('each is what its id says', () => {
  expect(callbackDeliveryScenarios.map(({ id }) => id)).toEqual([
    'callback-503-again-and-again',
    'callback-503-for-oauth',
    'callback-503-for-result',
    'callback-503-for-error',
    'callback-receiver-restarts',
    'callback-404',
    'callback-408',
    'callback-409',
    'callback-410',
    'callback-425',
    'callback-429',
    'callback-410-for-oauth',
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

const undelivered = () =>
  recording().authorized().access().deliver(message('tool_result'), { answer: 503 })
const taken = () => undelivered().deliver(message('tool_result'))
const once: Cases = {
  pass: {
    'it is taken at the second delivery': taken().window(),
    'it is taken at the third one': undelivered()
      .deliver(message('tool_result'), { answer: 'refused' })
      .deliver(message('tool_result'))
      .window(),
  },
  violation: { 'it comes once more': taken().deliver(message('tool_result')).window() },
  inconclusive: { 'nobody watched': taken(), 'it is never taken': undelivered().window() },
}

for (const scenario of [forResult!, forError!, disconnected!]) {
  describeChecks(scenario, {
    [retried]: redelivered('tool_result', () => recording().authorized().access()),
    'rap-oauth/tool/single-result': once,
  })
}

const refused = (type: string, answer: 410 | 'open' = 410) =>
  recording().authorized().access().deliver(message(type, '3 items'), { answer })

for (const scenario of gone) {
  const type = scenario.id.endsWith('-for-oauth') ? 'oauth' : 'tool_result'
  // The message of the flow itself was taken.
  const begun = type === 'oauth' ? recording().invoke() : recording().authorized()
  const first = () =>
    type === 'oauth' ? recording().invoke().deliver(message(type), { answer: 410 }) : refused(type)
  describeChecks(scenario, {
    'rap-oauth/tool/no-callback-retry-on-4xx': {
      pass: {
        'nothing came within the window': first().window(),
        'another message came': first()
          .deliver(JSON.stringify({ type, auth_url: 'https://provider.test/2', text: 'other' }))
          .window(),
      },
      violation: {
        'it came again': first()
          .deliver(message(type, type === 'oauth' ? undefined : '3 items'), { answer: 410 })
          .window(),
      },
      inconclusive: {
        'it was not delivered': begun.gaveUp(),
        'nobody watched': first(),
        'it was not answered':
          type === 'oauth'
            ? recording().invoke().deliver(message(type), { answer: 'open' }).window()
            : refused(type, 'open').window(),
      },
    },
  })
}

/** The result of the current call is delivered again after each of these pauses. */
function redeliver(t: Recording, pauses: readonly number[]): Recording {
  const once = () => t.deliver(message('tool_result', '3 items'), { answer: 503 })
  once()
  for (const pause of pauses) {
    t.after(pause)
    once()
  }
  return t
}

const attempted = (...pauses: readonly number[]): Recording =>
  redeliver(recording().authorized().access(), pauses)

/** Two calls: of the second one, whose pauses are steady, the last seems twice as long. */
const busyAtTheEnd = (...pauses: readonly number[]): Recording =>
  redeliver(attempted(...pauses).invoke(), [150, 150, 150, 150, 310])

describeChecks(failingAgain!, {
  'rap-oauth/tool/back-off-callback-delivery': {
    pass: {
      'pauses that double': attempted(150, 300, 600, 1200, 2400),
      'a busy machine at first': attempted(1700, 800, 700, 1250, 2500),
      'pauses that grow up to a limit': attempted(100, 220, 220, 220, 220),
      'two attempts more, then no more': attempted(500, 1000),
      'a busy machine hides it in one of two': busyAtTheEnd(150, 300, 600, 1200, 2400),
    },
    violation: {
      'a constant pace': attempted(150, 160, 150, 170, 150),
      'fifty milliseconds each': attempted(50, 50, 50, 50, 50),
      'a busy machine makes the last of one longer': busyAtTheEnd(150, 150, 150, 150, 150),
    },
    inconclusive: {
      'it is tried once more only': attempted(500),
      'it is given up': attempted(),
      'the machine is busy, and every attempt comes late': attempted(620, 700, 900, 700, 1150),
    },
  },
})
