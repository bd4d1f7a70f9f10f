import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Recording } from '../testing.ts'
import { acknowledgementScenarios } from './acknowledgement.ts'

const byId = (id: string) => acknowledgementScenarios.find((each) => each.id === id)!
const resourceHeld = byId('resource-held-back')

/** The first call completes, the second reaches the held API before it is acknowledged. */
const held = (path = '/resource/items') =>
  recording().completed().invoke({}, 'open').upstream(path, 'open')

/** The second call is acknowledged after so many milliseconds; then it begins to work. */
const slowly = (ms: number) => recording().completed().invoke({}, 'open').after(ms).ack(200)

test('an API that is reached through the MCP server is held back too', () => {
  const t = held('/mcp').ack(200).step('release')
  expect(judge(resourceHeld, 'rap-oauth/tool/acknowledge-immediately', t).outcome).toBe('pass')
})

describeChecks(resourceHeld, {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: {
      'acknowledged while the API is held back': held().ack(200).step('release'),
      'acknowledged late, before it begins to work, on a busy machine': slowly(2001)
        .upstream('/resource/items', 'open')
        .step('release'),
    },
    violation: {
      'acknowledged after the release': held().step('release').ack(200),
      'never acknowledged': held().step('release'),
      'acknowledged late': held().after(2001).ack(200).step('release'),
    },
    inconclusive: {
      'there was no second call': recording().completed(),
      'the stored token was not used': recording().completed().invoke().oauth().step('release'),
    },
  },
})

/** The code of the first call is being exchanged. */
const atTheExchange = () => recording().asked().callback().upstream('/token', 'open')

/** When the second is made. */
const exchanging = () => atTheExchange().invoke({}, 'open')

/** The tool breaks off its last request to the provider. */
function brokenOff(t: Recording): Recording {
  const { exchange, call } = t.transcript.requests('provider').at(-1)!
  const place = { channel: 'provider', exchange, ...(call && { call }) } as const
  return t.event({ type: 'failure', ...place, code: 'ECONNRESET', message: 'reset' })
}

describeChecks(byId('exchange-held-back'), {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: {
      'acknowledged while it is held back': exchanging().ack(200).step('release'),
      'acknowledged at once, then given up': brokenOff(exchanging().ack(200)).step('release'),
      'acknowledged late on a busy machine, and given up later': brokenOff(
        exchanging().after(2001).ack(200).after(900),
      ).step('release'),
    },
    violation: {
      'acknowledged after the release': exchanging().step('release').ack(200),
      'never acknowledged': exchanging().step('release'),
      'acknowledged when the exchange was given up': brokenOff(exchanging()).ack(200),
      'acknowledged then, and heard of before': brokenOff(exchanging().after(3000).ack(200)).step(
        'release',
      ),
    },
    inconclusive: {
      'the exchange was given up before': brokenOff(atTheExchange())
        .invoke({}, 'open')
        .ack(200)
        .step('release'),
      'there was no second call': recording().asked().callback().upstream('/token', 'open'),
      'nothing was exchanged': recording().asked().callback().invoke().step('release'),
    },
  },
})

/** The second call refreshes before it is acknowledged. */
const refreshing = () => recording().completed().invoke({}, 'open').upstream('/token', 'open')

describeChecks(byId('refresh-held-back'), {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: { 'acknowledged while the refresh is held back': refreshing().ack(200).step('release') },
    violation: {
      'acknowledged after the release': refreshing().step('release').ack(200),
      'never acknowledged': refreshing().step('release'),
    },
    inconclusive: {
      'nothing was refreshed': recording().completed().invoke().oauth().step('release'),
    },
  },
})

const crowded = () =>
  recording().completed().invoke().upstream('/resource/items', 'open').invoke({}, 'open')

describeChecks(byId('many-calls-while-held-back'), {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: {
      'all are acknowledged': crowded().ack(200).step('release'),
      'one is refused': crowded().ack(503).step('release'),
    },
    violation: {
      'one waits for the others': crowded().step('release').ack(200),
      'one is never answered': crowded().step('release'),
    },
    inconclusive: {
      'no request was held back': recording().completed().invoke().step('release'),
      'nothing was released': crowded().ack(200),
    },
  },
})

const callbackHeld = acknowledgementScenarios.find(({ id }) => id === 'callback-held-back')!
const message = '{"type":"oauth"}'
const acknowledgedLate = () =>
  recording()
    .invoke({}, 'open')
    .after(2001)
    .ack(200)
    .deliver(message, { answer: 'open' })
    .step('release')
const undelivered = () => recording().invoke({}, 'open').deliver(message, { answer: 'open' })

describeChecks(callbackHeld, {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: {
      'acknowledged while the message is held back': undelivered().ack(200).step('release'),
      'acknowledged late, before it begins to work, on a busy machine': [
        acknowledgedLate(),
        {},
        recording().completed(),
      ],
    },
    violation: {
      'acknowledged when the message is taken': undelivered().step('release').ack(200),
      'acknowledged late': undelivered().after(2001).ack(200).step('release'),
      'acknowledged late, as other calls are': [
        acknowledgedLate(),
        {},
        recording().invoke({}, 'open').after(2001).ack(200).deliver(message),
      ],
    },
    inconclusive: {
      'no message was sent': recording().invoke().gaveUp(),
      'nothing was invoked': recording(),
    },
  },
})

test('a tool that sends its message and never acknowledges does not acknowledge at once', () => {
  const t = undelivered().step('release').after(7000).ack('refused')
  const found = judge(callbackHeld, 'rap-oauth/tool/acknowledge-immediately', t)
  expect(found.outcome).toBe('violation')
})
