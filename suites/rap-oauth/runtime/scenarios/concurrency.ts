/** Several conversations, tools and messages at once: nothing crosses, one conversation at a time. */

import {
  cite,
  inconclusive,
  NotOffered,
  notApplicable,
  pass,
  violation,
  type Transcript,
  worstOf,
} from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../judges/check.ts'
import { brokenOff, deliversResult, resultForRightCall } from '../judges/given-results.ts'
import { invokesOnce, keepsPending } from '../judges/pending-calls.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import type { Call } from '../call.ts'
import { toolNames } from '../vocabulary.ts'
import { firstGiven, foreignTokens, givenIn } from '../model-input.ts'
import { turnsOf } from '../side-requests.ts'
import {
  askedOf,
  callsOf,
  delivered,
  isAfter,
  shownWith,
  waitedInVain,
  type CallView,
} from '../view.ts'
import { controls, goOn, scenario } from './define.ts'
import { heldBack } from './held-back.ts'
import { heardWhilePending, talkWhilePending } from './needs.ts'

const many = 10

/** Applies the judgement to every call: the first that is not a pass counts. */
export function every(judgeCall: (call: string) => Judge, count: number): Judge {
  return (t, context) => {
    const calls = callsOf(t)
    if (calls.length < count) return inconclusive(`${calls.length} of ${count} calls were made`)
    const all = calls.map(({ name }) => judgeCall(name)(t, context))
    const worst = worstOf(all)
    if (worst) return worst
    return pass(
      `${all.length} calls`,
      all.flatMap(({ evidence }) => evidence.slice(0, 2)),
    )
  }
}

/** Every authorization URL was shown in its own conversation, and nowhere else. */
export function showsToOwnUser(count: number): Judge {
  return (t, { declared }) => {
    if (!declared.separateSurfaces) {
      return notApplicable('the declared surfaces do not tell users apart')
    }
    const calls = callsOf(t)
    const shown = calls.flatMap((call) => shownOf(t, call))
    const strange = shown.find(
      ({ event, call }) =>
        event.conversation !== undefined && event.conversation !== call.conversation,
    )
    if (strange) {
      return violation(
        "an authorization URL was shown in another user's conversation",
        { expected: strange.call.conversation, actual: String(strange.event.conversation) },
        cite(strange.event),
      )
    }
    const reached = new Set(shown.map(({ call }) => call.name))
    if (calls.length < count || reached.size < count)
      return inconclusive(`${reached.size} of ${count} URLs were shown`)
    return pass(`${reached.size} URLs`, cite(...shown.slice(0, count).map(({ event }) => event)))
  }
}

function shownOf(t: Transcript, call: CallView) {
  const url = delivered(t, 'oauth', call.name)?.url
  return url === undefined ? [] : shownWith(t, url).map((event) => ({ event, call }))
}

/** No request to the model holds words of a conversation of another user: of its own user it may remember them. */
export function isolates(count: number): Judge {
  return (t) => {
    const users = new Map(
      t.steps('ask').map(({ detail }) => [String(detail['conversation']), String(detail['user'])]),
    )
    const userOf = (conversation: unknown): string =>
      users.get(String(conversation)) ?? String(conversation)
    const own = new Map<string, Set<string>>()
    const known = new Set<string>()
    const enter = (conversation: unknown, token: unknown): void => {
      const key = userOf(conversation)
      known.add(String(token))
      own.set(key, (own.get(key) ?? new Set()).add(String(token)))
    }
    const whose = new Map<string, unknown>()
    for (const { scenario, call, detail } of [...t.steps('ask'), ...t.steps('say')]) {
      enter(detail['conversation'], detail['reference'])
      if (call !== undefined) whose.set(`${scenario} ${call}`, detail['conversation'])
    }
    for (const { scenario, call, detail } of t.steps('deliver')) {
      enter(whose.get(`${scenario} ${call}`), detail['token'])
    }
    const asked = askedOf(t).filter(({ conversation }) => conversation !== undefined)
    for (const each of asked) {
      // What was said in a drive whose recording was replaced, and is heard of late, belongs to nobody here.
      const foreign = foreignTokens(each, own.get(userOf(each.conversation)) ?? new Set()).filter(
        (token) => known.has(token),
      )
      if (foreign.length === 0) continue
      return violation(
        'a request to the model holds what was said in another conversation',
        { expected: `words of ${each.conversation} alone`, actual: foreign.join(', ') },
        cite(each.step),
      )
    }
    const conversations = new Set(asked.map(({ conversation }) => conversation))
    if (conversations.size < count)
      return inconclusive(`${conversations.size} of ${count} conversations reached the model`)
    return pass(
      `${asked.length} requests to the model`,
      cite(...asked.slice(0, 4).map(({ step }) => step)),
    )
  }
}

/** All are authorized, then all complete, the last one first. */
export async function crossing(
  calls: readonly Call[],
  observe: () => Promise<void>,
): Promise<void> {
  await Promise.all(calls.map((call) => call.awaitInvocation()))
  const shown = await Promise.all(
    calls.map(async (call) => goOn(call.awaitSurfaced(await call.oauth()))),
  )
  await observe()
  await Promise.all(calls.toReversed().map(async (call) => call.awaitGiven(await call.result())))
  for (const check of shown) check()
}

function crossingChecks(count: number, what: string) {
  return [
    check(
      'rap-oauth/runtime/surface-to-own-user',
      `shows the URLs of ${what} apart`,
      showsToOwnUser(count),
    ),
    check(
      'rap-oauth/runtime/isolate-conversations',
      `keeps ${what} apart for the model`,
      isolates(count),
    ),
    ...callChecks(count),
  ]
}

function callChecks(count: number) {
  return [
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives every result to the model for its call',
      every((call) => resultForRightCall('result', call), count),
    ),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives every result to the model',
      every((call) => deliversResult('result', call), count),
    ),
    check(
      'rap-oauth/runtime/keep-call-pending',
      'keeps every call pending',
      every((call) => keepsPending({ call }), count),
    ),
    check(
      'rap-oauth/runtime/no-invocation-retry',
      'invokes once for every call',
      every((call) => invokesOnce({ call }), count),
    ),
  ]
}

const twoConversations = scenario({
  id: 'two-conversations',
  title: 'two users authorize at the same time',
  control: controls.oauth,
  async drive({ converse, observe }) {
    await crossing([converse().ask(), converse().ask()], observe)
  },
  checks: crossingChecks(2, 'two conversations'),
})

const twoTools = scenario({
  id: 'two-tools',
  title: 'tools of two toolsets at the same time',
  control: controls.oauth,
  async drive({ converse, observe }) {
    await crossing(
      toolNames.map((tool) => converse().ask({ tool })),
      observe,
    )
  },
  checks: [
    ...crossingChecks(2, 'two tools'),
    check('rap-oauth/runtime/invocation-faithful', 'invokes each tool by its name', (t) => {
      const calls = callsOf(t)
      if (calls.filter(({ invocations }) => invocations[0]).length < toolNames.length)
        return inconclusive('a tool was not invoked')
      const wrong = calls.find(({ sent, tool }) => sent['operation'] !== tool)
      if (!wrong) return pass('both', cite(...calls.map(({ invocations }) => invocations[0])))
      const difference = { expected: wrong.tool, actual: String(wrong.sent['operation']) }
      return violation('another tool was invoked', difference, cite(wrong.invocations[0]))
    }),
  ],
})

const tenCalls = scenario({
  id: 'ten-calls',
  title: 'ten users authorize at the same time',
  control: controls.oauth,
  async drive({ converse, observe }) {
    await crossing(
      Array.from({ length: many }, () => converse().ask()),
      observe,
    )
  },
  checks: crossingChecks(many, 'ten conversations'),
})

/** Those that are invoked are authorized and complete; then those for which the runtime waited with the next ones. */
async function asTheyCome(calls: readonly Call[], observe: () => Promise<void>): Promise<void> {
  const results: ReturnType<typeof goOn>[] = []
  const shown: (() => void)[] = []
  let left = calls
  while (left[0]) {
    await left[0].awaitInvocation({ orOf: left })
    if (results.length === 0) await observe()
    const invoked = left.filter(({ isInvoked }) => isInvoked)
    left = left.filter((call) => !invoked.includes(call))
    const seen = invoked.map(async (call) => goOn(call.awaitSurfaced(await call.oauth())))
    shown.push(...(await Promise.all(seen)))
    await observe()
    for (const call of invoked.toReversed()) {
      const result = await call.result()
      // The model may be asked only when all calls of its turn have results.
      results.push(goOn(call.awaitGiven(result)))
    }
  }
  for (const given of await Promise.all(results)) given()
  for (const check of shown) check()
}

const parallelCalls = scenario({
  id: 'parallel-calls',
  title: 'the model wants a tool ten times in one turn, and each call needs authorization',
  control: controls.oauth,
  async drive({ converse, observe }) {
    await asTheyCome(converse().askAtOnce(many), observe)
  },
  checks: [
    check(
      'rap-oauth/runtime/surface-auth-url',
      'shows every URL to the user',
      every((call) => surfacesUrl('oauth', call), many),
    ),
    ...callChecks(many),
  ],
})

const busyConversation = scenario({
  id: 'busy-conversation',
  title: 'a result arrives while the model answers in the same conversation',
  control: controls.oauth,
  needs: talkWhilePending,
  async drive({ converse, observe, mark }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
    const { held, release } = heldBack()
    const talking = await goOn(conversation.awaitTurn(conversation.say({ delayUntil: held })))
    // What is asked beside the turn is asked by then.
    await observe()
    const watching = observe(() => {
      mark('answer')
      release()
    })
    const [result] = await Promise.all([call.result(), watching])
    await call.awaitGiven(result)
    if (isUndecided(call.transcript()))
      await goOn(call.awaitThat(notAnew, (_, t) => !isUndecided(t)))
    surfaced()
    if (!heardWhilePending(call.transcript(), call.name)) {
      throw new NotOffered('the model is asked nothing while a call of its conversation is pending')
    }
    talking()
  },
  checks: [
    check(
      'rap-oauth/runtime/process-group-serially',
      'processes one message after the other',
      serially(),
    ),
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
  ],
})

const notAnew = 'neither message was processed anew'

/** What a conversation asks its model while that still answers; a string where it was not busy. */
function overlapIn(t: Transcript) {
  const reference = String(t.steps('say')[0]?.detail['reference'])
  // A request for a title or a summary may be made beside the conversation.
  const chat = turnsOf(t).find((asked) => givenIn(asked, reference).length > 0)
  const answered = t.steps('mark')[0]
  const result = delivered(t, 'result')
  if (!chat?.conversation || !answered || !result?.request) return 'the model was not busy'
  if (!isAfter(answered, result.request)) return 'the result came too late'
  if (!isAfter(result.request, chat.step)) return 'the model was asked too late'
  const turns = turnsOf(t, chat.conversation)
  const overlapping = turns.find(
    ({ step }) => isAfter(step, chat.step) && isAfter(answered, step) && !brokenOff(t, chat),
  )
  // RAP Lifecycle, Runtime Concurrency, permits optimistic concurrency: what was answered in vain is asked anew, with both.
  const anew = turns.find(
    (asked) =>
      isAfter(asked.step, answered) &&
      [reference, result.token].every((token) => givenIn(asked, token).length > 0),
  )
  return { chat, answered, result, overlapping, anew }
}

/** Whether it is still to be seen if one of two messages that were processed at once is processed anew. */
function isUndecided(t: Transcript): boolean {
  const overlap = overlapIn(t)
  return typeof overlap !== 'string' && overlap.overlapping !== undefined && !overlap.anew
}

/** While the model answers, the same conversation asks it nothing else, or does one of both anew. */
function serially(): Judge {
  return (t) => {
    const overlap = overlapIn(t)
    if (typeof overlap === 'string') return inconclusive(overlap)
    const { chat, answered, result, overlapping, anew } = overlap
    const evidence = cite(chat.step, result.request, overlapping?.step, answered, anew?.step)
    if (overlapping && anew) return pass('one of them was processed anew, with both', evidence)
    // Who breaks off the answer to ask anew with the result is processing one after the other, too.
    if (overlapping) {
      if (waitedInVain(t, notAnew) === undefined)
        return inconclusive('the run did not wait for what is processed anew', evidence)
      return violation(
        'the model was asked again in a conversation in which it was still answering',
        { expected: 'one message of a group_id after the other', actual: 'two at once' },
        evidence,
      )
    }
    const given = firstGiven(t, result.token)
    if (!given) return inconclusive('the result did not reach the model', cite(result.request))
    return pass('one after the other', cite(chat.step, result.request, answered, given.asked.step))
  }
}

export const concurrencyScenarios = [
  twoConversations,
  twoTools,
  tenCalls,
  parallelCalls,
  busyConversation,
]
