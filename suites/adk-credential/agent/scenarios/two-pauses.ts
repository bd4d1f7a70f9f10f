import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  show,
  Unreached,
  violation,
  type Need,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { apiRequests } from '../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { needsOtherArguments } from '../conditions.ts'
import { lostArgument } from '../replayed-arguments.ts'
import type { CallOptions } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import type { CredentialRequest } from '../../wire.ts'
import { callOf, type CallView, type In } from '../view.ts'
import { control, scenario } from './define.ts'

const names = ['call-1', 'call-2'] as const

/** What stood in for the result of a call, in whichever answer, is none when it comes once more. */
function hasResult({ calls }: CallView, all: readonly CallView[]): boolean {
  const ids = calls.map(({ id }) => id)
  const results = all.flatMap((each) => each.results).filter(({ id }) => ids.includes(id))
  const standIns = results.filter(({ placeholder }) => placeholder).map(({ value }) => show(value))
  return results.some(({ value }) => !standIns.includes(show(value)))
}

/** A request that is shown once more, in whichever answer, is answered once. */
function isFirst<R extends In<CredentialRequest>>(request: R, all: readonly R[]): boolean {
  const inOrder = all.toSorted((one, other) => one.event.seq - other.event.seq)
  return inOrder.find(({ id }) => id === request.id) === request
}

function statesOf(t: Transcript): unknown[] {
  return names.flatMap((name) =>
    callOf(t, name).authorizationRequests.map(({ detail }) => detail['state']),
  )
}

const keepsBoth: Judge = (t, { control: twin }) => {
  if (twin && callOf(twin).ended.length === 0)
    return inconclusive('no call completes, not even a normal one')
  const all = names.map((name) => callOf(t, name))
  const [first, second] = all as [CallView, CallView]
  if (first.requests.length === 0 || second.calls.length === 0)
    return inconclusive('the tool was not called while a request was pending')
  const requests = all.flatMap((each) => each.requests)
  const evidence = cite(...requests.map(({ event }) => event))
  const ids = new Set(requests.map(({ id }) => id))
  const states = statesOf(t)
  // The same request, shown once more, is one.
  if (states.length >= 2 && ids.size >= 2 && new Set(states).size < states.length) {
    const difference = { expected: 'a state for each request', actual: show(states) }
    return violation('a later request has the state of the pending one', difference, evidence)
  }
  const last = all.flatMap(({ messages }) => messages.slice(1).map((each) => t.answer(each)))
  const answered = all.filter(
    ({ messages, requests: own }) =>
      own.filter((each) => isFirst(each, requests)).length < messages.length,
  )
  if (answered.length < all.length || last.some((each) => each?.type !== 'response'))
    return inconclusive('not every request was answered', evidence)
  const missing = all.filter((each) => !hasResult(each, all))
  if (missing.length === 0) return pass('both calls have their results', evidence)
  return violation(
    'a call has no result although its request was answered',
    {
      expected: 'a result for each call',
      actual: `none for ${show(missing.map(({ name }) => name))}`,
    },
    [...evidence, ...cite(...last)],
  )
}

/** What the API is asked for the two calls is what the model asked for: each time with the arguments of its own call. */
const replaysEach: Judge = (t, { control: twin }) => {
  const all = names.map((name) => callOf(t, name))
  const requests = all.flatMap(apiRequests)
  const evidence = cite(...requests)
  if (requests.length === 0 || !all.every((each) => hasResult(each, all)))
    return inconclusive('not both calls have a result, or neither was carried out', evidence)
  const lost = all.flatMap((each) => lostArgument(twin, each, requests) ?? [])
  const [first] = lost
  // A call that ended without a request, as one that gave way to the other, shows nothing.
  if (first && (lost.length === all.length || requests.length >= all.length))
    return violation('a call was replayed with the arguments of another', first, evidence)
  return pass('what was carried out is what was asked for', evidence)
}

/** Calls the tool, calls it once more while that waits, by default in the same session, and answers whatever was asked. */
function callTwice(later: (fixtures: Fixtures) => CallOptions, needsBoth = false) {
  return async (fixtures: Fixtures): Promise<void> => {
    const { begin, user, observe } = fixtures
    const first = begin(user)
    const flow = await user.consent(first)
    const second = begin(user, { session: first.session, ...later(fixtures) })
    const isAsked = await second.answered().then(
      (how) => how === 'asked',
      (error: unknown) => {
        // The call may wait for the request that there is.
        if (error instanceof Unreached) return false
        throw error
      },
    )
    if (needsBoth && !isAsked) throw new NotOffered('it has one flow for all sessions of a user')
    const other = isAsked ? await user.consent(second) : undefined
    await user.follow(flow)
    if (other) await user.follow(other)
    await observe()
  }
}

export const twoPauses = scenario({
  id: 'two-pauses',
  title:
    'the user asks once more in the same session while a request is pending, then answers both',
  control,
  drive: callTwice(() => ({})),
  checks: [
    check(
      'adk-credential/agent/several-requests-distinct',
      'keeps both, with states of their own',
      keepsBoth,
    ),
  ],
})

/** Who waits for a user in one session may say so in the others. */
const flowPerSession: Need = { what: 'a request in each of two sessions', seen: () => undefined }

export const twoSessions = scenario({
  id: 'two-sessions-of-one-user',
  title: 'the user asks in another session while a request is pending, then answers both',
  control,
  needs: flowPerSession,
  drive: callTwice(({ newSession }) => ({ session: newSession() }), true),
  checks: [
    check(
      'adk-credential/agent/several-requests-distinct',
      'keeps both, with states of their own',
      keepsBoth,
    ),
  ],
})

export const twoArguments = scenario({
  id: 'two-pauses-with-other-arguments',
  title:
    'the user asks for something else of the same tool while a request is pending, then answers both',
  control,
  notApplicable: needsOtherArguments,
  drive: callTwice(({ configuration: { operation } }) => ({
    tools: [{ name: operation.name, arguments: operation.otherArguments ?? {} }],
  })),
  checks: [
    check('oauth-client/retry-operation', 'replays each call with its own arguments', replaysEach),
  ],
})
