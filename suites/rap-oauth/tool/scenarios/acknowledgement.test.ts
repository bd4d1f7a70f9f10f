import { expect, test } from 'vitest'
import { describeChecks, judge, recording, type Cases } from '../testing.ts'
import { acknowledgementScenarios } from './acknowledgement.ts'

const [discoveryHeld, resourceHeld] = acknowledgementScenarios as [
  (typeof acknowledgementScenarios)[0],
  (typeof acknowledgementScenarios)[0],
]

const metadata = '/.well-known/oauth-authorization-server'

describeChecks(discoveryHeld, {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: {
      'acknowledged while the metadata is held back': recording()
        .invoke({}, 'open')
        .upstream(metadata, 'open')
        .ack(200)
        .step('release'),
      'acknowledged before it was asked for': recording()
        .invoke()
        .upstream(metadata, 'open')
        .step('release'),
      'the tool gave the request up': recording()
        .invoke()
        .upstream(metadata, 'refused')
        .result('Error: provider')
        .step('release'),
    },
    violation: {
      'acknowledged after the release': recording()
        .invoke({}, 'open')
        .upstream(metadata, 'open')
        .step('release')
        .ack(200),
      'acknowledged late': recording()
        .invoke({}, 'open')
        .upstream(metadata, 'open')
        .after(2001)
        .ack(200)
        .step('release'),
      'never acknowledged': recording()
        .invoke({}, 'open')
        .upstream(metadata, 'open')
        .step('release'),
      'the connection broke': recording()
        .invoke({}, 'open')
        .upstream(metadata, 'open')
        .ack('refused')
        .step('release'),
    },
    inconclusive: {
      'the call was not made': recording().upstream(metadata, 'open').step('release'),
      'nothing was held back': recording().invoke().upstream(metadata).step('release'),
      'another request was held back': recording().invoke().upstream('/token', 'open'),
      'it was asked for only after the release': recording()
        .invoke()
        .step('release')
        .upstream(metadata, 'open'),
    },
  },
  'rap-oauth/tool/never-permanently-pending': {
    pass: {
      'the call ends': recording().invoke().upstream(metadata, 'open').result('Error: provider'),
    },
    violation: {
      'the call does not end': recording().invoke().upstream(metadata, 'open').gaveUp(30_000),
    },
    inconclusive: {
      'nothing was held back': recording().invoke().upstream(metadata).gaveUp(),
      'nobody waited': recording().invoke().upstream(metadata, 'open'),
    },
  },
} satisfies Record<string, Cases>)

/** The first call completes, the second reaches the held API before it is acknowledged. */
const held = () => recording().completed().invoke({}, 'open').upstream('/resource/items', 'open')

describeChecks(resourceHeld, {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: { 'acknowledged while the API is held back': held().ack(200).step('release') },
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

const callbackHeld = acknowledgementScenarios.find(({ id }) => id === 'callback-held-back')!
const message = '{"type":"oauth"}'
const undelivered = () => recording().invoke({}, 'open').deliver(message, { answer: 'open' })

describeChecks(callbackHeld, {
  'rap-oauth/tool/acknowledge-immediately': {
    pass: { 'acknowledged while the message is held back': undelivered().ack(200).step('release') },
    violation: {
      'acknowledged when the message is taken': undelivered().step('release').ack(200),
      'acknowledged late': undelivered().after(2001).ack(200).step('release'),
    },
    inconclusive: {
      'no message was sent': recording().invoke().gaveUp(),
      'nothing was invoked': recording(),
    },
  },
})

test.fails(
  'a tool that sends its message and never acknowledges does not acknowledge at once',
  () => {
    // BUG: acknowledgement.ts callback-held-back is inconclusive ("the invocation was not answered") although the message
    // proves that the invocation arrived; acknowledgedBeforeRelease calls the same a violation.
    const t = undelivered().step('release').after(7000).ack('refused')
    const found = judge(callbackHeld, 'rap-oauth/tool/acknowledge-immediately', t)
    expect(found.outcome).toBe('violation')
  },
)
