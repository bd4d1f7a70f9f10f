import {
  cite,
  inconclusive,
  pass,
  violation,
  type Body,
  type ReplyPlan,
} from '../../../../harness/index.ts'
import { check, type Judge } from '../checks.ts'
import { callOf, show, waitedInVain, watched, type Message } from '../view.ts'
import { scenario } from './define.ts'

const control = 'authorize-and-complete'

/** Answers the first message of a type differently from all others. */
function firstOf(type: string, reply: number | 'reset', always = false): ReplyPlan {
  let seen = 0
  return (body: Body) => {
    if (!new RegExp(`"type"\\s*:\\s*"${type}"`).test(body.text)) return 200
    seen += 1
    return seen === 1 || always ? reply : 200
  }
}

/** Deliveries of one message: those whose type is the given one. */
function redelivers(type: 'oauth' | 'tool_result'): Judge {
  return (t) => {
    const call = callOf(t)
    const deliveries = call.messages.filter((message: Message) => message.type === type)
    const [first, second] = deliveries
    if (!first) return inconclusive(`no ${type} message was delivered`)
    const answer = t.answer(first.event)
    if (!answer) return inconclusive('the first delivery was not answered')
    if (second && !sameWords(first, second)) {
      return violation(
        'what came after the failed delivery is another message, so the first one is lost',
        { expected: show(first.value), actual: show(second.value) },
        cite(first.event, answer, second.event),
      )
    }
    if (second) return pass('delivered again', cite(first.event, answer, second.event))
    const waited = waitedInVain(t, call.name)
    if (waited === undefined) return inconclusive('no second delivery was waited for')
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

const unavailable = (['oauth', 'tool_result'] as const).map((type) =>
  scenario({
    id: `callback-503-for-${type === 'oauth' ? 'oauth' : 'result'}`,
    title: `the callback receiver answers the ${type} message with 503, then with 200`,
    control,
    async drive({ tool, user, aside }) {
      const call = tool.invoke({ as: user, reply: firstOf(type, 503) })
      if (type === 'tool_result') await user.approve(call)
      await aside(
        call.waitUntil(
          `no second delivery of the ${type} message`,
          ({ messages }) => messages.filter((message) => message.type === type).length > 1,
        ),
      )
    },
    checks: [
      check('rap-oauth/tool/retry-callback-delivery', 'delivers it again', redelivers(type)),
    ],
  }),
)

const disconnected = scenario({
  id: 'callback-receiver-restarts',
  title: 'the callback receiver cuts the connection, stops listening, and comes back',
  control,
  async drive({ tool, user, ownReceiver, aside, timing }) {
    const receiver = await ownReceiver()
    try {
      const call = tool.invoke({ as: user, receiver, reply: firstOf('tool_result', 'reset') })
      await user.approve(call)
      await call.awaitResult()
      await receiver.pause()
      await aside(user.idle(Math.min(300, timing.observeMs)))
      await receiver.resume()
      await aside(
        call.waitUntil('no second delivery of the result', ({ results }) => results.length > 1),
      )
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
  ],
})

const gone = scenario({
  id: 'callback-410',
  title: 'the callback receiver answers the result with 410',
  control,
  async drive({ tool, user, observe }) {
    const call = tool.invoke({ as: user, reply: firstOf('tool_result', 410, true) })
    await user.approve(call)
    await call.awaitResult()
    await observe()
  },
  checks: [
    check('rap-oauth/tool/no-callback-retry-on-4xx', 'does not deliver it again', (t) => {
      const { results } = callOf(t)
      const [first, second] = results
      const answer = first && t.answer(first.event)
      if (!first || !answer) return inconclusive('no tool_result was delivered')
      if (second) {
        const difference = { expected: 'one delivery', actual: `${results.length} deliveries` }
        return violation(
          'a result that was refused with 410 was delivered again',
          difference,
          cite(first.event, answer, second.event),
        )
      }
      const ms = watched(t)
      if (ms === undefined) return inconclusive('nobody watched for a second delivery')
      return pass(`nothing came within ${ms} ms`, cite(first.event, answer))
    }),
  ],
})

export const callbackDeliveryScenarios = [...unavailable, disconnected, gone]
