import {
  cite,
  inconclusive,
  pass,
  violation,
  type Need,
  type Transcript,
  gaveUpAfter,
  show,
  watched,
} from '../../../../harness/engine/index.ts'
import { check, singleResult, type Judge } from '../checks.ts'
import type { User } from '../../../oauth-client/user.ts'
import type { Call } from '../call.ts'
import { callOf, callsOf, type Message } from '../view.ts'
import { firstOf } from './replies.ts'
import { scenario } from './define.ts'
import { needsConnections } from './needs.ts'

const control = 'authorize-and-complete'

/** Deliveries of one message: those whose type is the given one. */
function redelivers(type: 'oauth' | 'tool_result'): Judge {
  return (t) => {
    const call = callOf(t)
    const deliveries = call.messages.filter((message: Message) => message.type === type)
    const [first, second] = deliveries
    if (!first) return inconclusive(`no ${type} message was delivered`)
    const answer = t.answer(first.event)
    if (!answer) return inconclusive('the first delivery was not answered')
    if (answer.type === 'response' && answer.status < 300)
      return inconclusive('the first delivery did not fail', cite(first.event, answer))
    if (second && !sameWords(first, second)) {
      return violation(
        'the message whose delivery failed was never sent again: another message came instead',
        { expected: show(first.value), actual: show(second.value) },
        cite(first.event, answer, second.event),
      )
    }
    if (second) return pass('delivered again', cite(first.event, answer, second.event))
    const waited = gaveUpAfter(t, call.name)
    if (waited === undefined) return inconclusive('the run did not wait for a second delivery')
    return violation(
      `${type === 'oauth' ? 'an' : 'a'} ${type} message that could not be delivered was given up`,
      { expected: `another delivery within ${waited} ms`, actual: 'none' },
      cite(first.event, answer),
    )
  }
}

/** A tool may begin a new flow for a lost oauth message; a result has to say the same again. */
function sameWords(first: Message, second: Message): boolean {
  const words = ({ value }: Message): string => show([value['text'], value['content']])
  return words(first) === words(second)
}

/** What is answered with 503, and what brings it about. */
const deliveries = [
  {
    id: 'oauth',
    type: 'oauth',
    title: 'the callback receiver answers the oauth message with 503, then with 200',
    bring: (call: Call) => call.answered(),
  },
  {
    id: 'result',
    type: 'tool_result',
    title: 'the callback receiver answers the tool_result message with 503, then with 200',
    bring: (call: Call, user: User) => user.approve(call).then(() => call.ended()),
  },
  {
    id: 'error',
    type: 'tool_result',
    title: 'the user denies, and the callback receiver answers the result with 503, then with 200',
    bring: (call: Call, user: User) => user.deny(call).then(() => call.ended()),
  },
] as const

/** A tool should try again, and need not (RAP Transport, Delivery Requirements). */
const redelivery = (scenario: string): Need => ({
  what: 'a result that is delivered again',
  seen: (run) => run.get(scenario) && callOf(run.get(scenario)!).results[1]?.event,
})

const onceTaken = check(
  'rap-oauth/tool/single-result',
  'does not deliver it any more once it was taken',
  singleResult(),
)

const unavailable = deliveries.map(({ id, type, title, bring }) =>
  scenario({
    id: `callback-503-for-${id}`,
    title,
    control,
    ...(type === 'oauth' ? {} : { needs: redelivery(`callback-503-for-${id}`) }),
    async drive({ tool, user, offSlot, observe, timing }) {
      const call = tool.invoke({ as: user, reply: firstOf(type, 503) })
      await bring(call, user)
      // How soon it is tried again is the tool's affair.
      await offSlot(
        call.waitUntil(
          `no second delivery of the ${type} message`,
          ({ messages }) => messages.filter((message) => message.type === type).length > 1,
          timing.maxWaitMs,
        ),
      )
      await observe()
    },
    checks: [
      check('rap-oauth/tool/retry-callback-delivery', 'delivers it again', redelivers(type)),
      ...(type === 'oauth' ? [] : [onceTaken]),
    ],
  }),
)

const disconnected = scenario({
  id: 'callback-receiver-restarts',
  title: 'the callback receiver cuts the connection, stops listening, and comes back',
  control,
  needs: redelivery('callback-receiver-restarts'),
  notApplicable: needsConnections,
  async drive({ tool, user, ownReceiver, offSlot, observe, timing }) {
    const receiver = await ownReceiver()
    try {
      const call = tool.invoke({ as: user, receiver, reply: firstOf('tool_result', 'reset') })
      await user.approve(call)
      await call.ended()
      await receiver.pause()
      await offSlot(user.idle(Math.min(300, timing.observeMs)))
      await receiver.resume()
      await offSlot(
        call.waitUntil(
          'no second delivery of the result',
          ({ results }) => results.length > 1,
          timing.maxWaitMs,
        ),
      )
      await observe()
    } finally {
      await receiver.close()
    }
  },
  checks: [
    check(
      'rap-oauth/tool/retry-callback-delivery',
      'delivers the result again',
      redelivers('tool_result'),
    ),
    onceTaken,
  ],
})

/** RAP: whatever the 4xx, the message will not be taken later either. */
const refusals = [
  ['tool_result', 404],
  ['tool_result', 408],
  ['tool_result', 409],
  ['tool_result', 410],
  ['tool_result', 425],
  ['tool_result', 429],
  ['oauth', 410],
] as const

const refused = refusals.map(([type, status]) =>
  scenario({
    id: `callback-${status}${type === 'oauth' ? '-for-oauth' : ''}`,
    title: `the callback receiver answers the ${type === 'oauth' ? 'oauth message' : 'result'} with ${status}`,
    control,
    async drive({ tool, user, observe }) {
      const call = tool.invoke({ as: user, reply: firstOf(type, status, true) })
      if (type === 'oauth') await call.asked()
      else {
        await user.approve(call)
        await call.ended()
      }
      await observe()
    },
    checks: [
      check(
        'rap-oauth/tool/no-callback-retry-on-4xx',
        'does not deliver it again',
        deliversOnce(type, status),
      ),
    ],
  }),
)

function deliversOnce(type: 'oauth' | 'tool_result', status: number): Judge {
  return (t) => {
    const deliveries = callOf(t).messages.filter((message) => message.type === type)
    const [first, second] = deliveries
    const answer = first && t.answer(first.event)
    if (!first || !answer) return inconclusive(`no ${type} was delivered`)
    // An oauth message that leads elsewhere belongs to a new flow.
    if (second && sameMessage(first, second)) {
      const difference = { expected: 'one delivery', actual: `${deliveries.length} deliveries` }
      return violation(
        `a message that was refused with ${status} was delivered again`,
        difference,
        cite(first.event, answer, second.event),
      )
    }
    const ms = watched(t)
    if (ms === undefined) return inconclusive('the run did not watch for a second delivery')
    return pass(`nothing came within ${ms} ms`, cite(first.event, answer))
  }
}

function sameMessage(first: Message, second: Message): boolean {
  return sameWords(first, second) && first.value['auth_url'] === second.value['auth_url']
}

/** Attempts that show whether the pauses between them grow. */
const attempts = 6

const failingAgain = scenario({
  id: 'callback-503-again-and-again',
  title: 'the callback receiver goes on answering the results of three calls with 503',
  control,
  async drive({ tool, newUser, offSlot, timing }) {
    // Three, because jitter and a busy machine may hide the growth in one of them.
    const calls = ['first', 'second', 'third'].map((name) => {
      const user = newUser(name)
      return { user, call: tool.invoke({ as: user, reply: firstOf('tool_result', 503, true) }) }
    })
    await Promise.all(calls.map(({ user, call }) => user.approve(call)))
    const enough = `fewer than ${attempts} attempts`
    await offSlot(
      Promise.allSettled(
        calls.map(({ call }) =>
          call.waitUntil(enough, ({ results }) => results.length >= attempts, timing.maxWaitMs),
        ),
      ),
    )
  },
  checks: [
    check('rap-oauth/tool/back-off-callback-delivery', 'waits longer each time', (t) => {
      const series = callsOf(t).map(({ results }) => results.slice(0, attempts))
      const shown = series.filter(({ length }) => length > 2)
      if (shown.length === 0)
        return inconclusive('no message was sent three times, so the pauses cannot be compared')
      const pauses = shown.map((results) => pausesBetween(t, results))
      const evidence = cite(...shown.flat().map(({ event }) => event))
      if (doGrow(pauses)) return pass(`pauses of ${pauses[0]?.join(', ')} ms`, evidence)
      if (!pauses.every(areSteady))
        return inconclusive(
          'the pauses neither grow nor stay the same: is the machine busy?',
          evidence,
        )
      return violation(
        'a callback that fails is delivered again at a constant pace',
        {
          expected: 'pauses that grow',
          actual: pauses.map((each) => `${each.join(', ')} ms`).join('; '),
        },
        evidence,
      )
    }),
  ],
})

/**
 * The last pause in terms of the shortest before it: the more pauses, the more exponential backoff has grown (reading
 * 36). Each is the mean of all calls, since one that a busy machine made long is no growth.
 */
function doGrow(series: readonly (readonly number[])[]): boolean {
  const longest = Math.max(...series.map(({ length }) => length))
  const pauses = Array.from({ length: longest }, (_, index) =>
    meanOf(series.flatMap((each) => each[index] ?? [])),
  )
  return (pauses.at(-1) ?? 0) >= (longest < 4 ? 1.5 : 2) * Math.min(...pauses.slice(0, -1))
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}

/** Milliseconds by which an attempt may seem late. */
const lateness = 100

/** Whether no pause is much longer than another: on a busy machine those that grow may seem to vary. */
function areSteady(pauses: readonly number[]): boolean {
  return Math.max(...pauses) < 1.6 * Math.min(...pauses) + lateness
}

/** Milliseconds from the answer to one attempt until the next one. */
function pausesBetween(t: Transcript, attempted: readonly Message[]): number[] {
  return attempted.slice(1).map(({ event }, index) => {
    const before = attempted[index]?.event
    const answered = before && t.answer(before)
    return Math.round(event.t - (answered?.t ?? before?.t ?? event.t))
  })
}

export const callbackDeliveryScenarios = [failingAgain, ...unavailable, disconnected, ...refused]
