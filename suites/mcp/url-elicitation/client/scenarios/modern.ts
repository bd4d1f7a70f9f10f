/** Revision 2026-07-28: the server asks in a result, and the client makes the call again with the answers. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  watched,
} from '../../../../../harness/engine/index.ts'
import { clientFrames, type Frame } from '../../../wire/frames.ts'
import { membersOf } from '../../../wire/values.ts'
import { inputRequestsIn } from '../../elicitation.ts'
import { declaresMode } from '../capabilities.ts'
import {
  acceptsAfterConsent,
  check,
  fetchesNothing,
  opensAfterConsent,
  opensExactly,
  type Judge,
} from '../checks.ts'
import { needsModern } from '../conditions.ts'
import { showsFullUrl, showsServer } from '../prompts.ts'
import { callOf, inputResponsesIn, type CallView } from '../view.ts'
import { control, scenario } from './define.ts'

/** What a request carries beside its arguments. */
function paramsOf({ message }: Frame): Readonly<Record<string, unknown>> {
  return membersOf(message.value['params'])
}

interface Round {
  readonly first: Frame
  /** Every time that the call was made before the retry. */
  readonly before: readonly Frame[]
  /** The result that asks for input. */
  readonly asked: Frame
  readonly retry: Frame
}

/** Judges a retry of a call, by default the first one, against the result that asked for it. */
export const onRetry =
  (judge: (round: Round) => ReturnType<Judge>, { name = 'call-1', nth = 0 } = {}): Judge =>
  (t) => {
    const round = roundOf(callOf(t, name), nth)
    return typeof round === 'string' ? inconclusive(round) : judge(round)
  }

/** The same where the call need not be made again: a server must not assume that it is (2026-07-28, MRTR). */
export const onRetryIfAny =
  (judge: (round: Round) => ReturnType<Judge>): Judge =>
  (t) => {
    const call = callOf(t)
    const round = roundOf(call)
    if (typeof round !== 'string') return judge(round)
    const [asking] = call.askings
    if (!asking || watched(t, asking.frame.event) === undefined) return inconclusive(round)
    return pass(`${round}, which is up to the client`, cite(asking.frame.event))
  }

function roundOf({ attempts, askings }: CallView, nth = 0): Round | string {
  const [first] = attempts
  const frames = askings.filter(({ how }) => how === 'input').map(({ frame }) => frame)
  const asked = [...new Set(frames)][nth]
  if (!first || !asked) return 'the client was asked for no input'
  const before = attempts.filter(({ event }) => !isAfter(event, asked.event))
  const retry = attempts[before.length]
  return retry ? { first, before, asked, retry } : 'the call was not made again'
}

function resultOf({ message }: Frame): Readonly<Record<string, unknown>> {
  return membersOf(message.value['result'])
}

export function echoes({ asked, retry }: Round): ReturnType<Judge> {
  const expected = resultOf(asked)['requestState']
  const actual = paramsOf(retry)['requestState']
  const evidence = cite(asked.event, retry.event)
  if (actual === expected) return pass('the state came back as it was', evidence)
  return violation(
    expected === undefined
      ? 'the retry has a requestState that the server did not give'
      : 'the retry does not have the requestState of the server',
    { expected: show(expected), actual: show(actual) },
    evidence,
  )
}

export function takesNewId({ before, retry }: Pick<Round, 'before' | 'retry'>): ReturnType<Judge> {
  const idOf = ({ message }: Frame): unknown => message.value['id']
  const same = before.find((each) => idOf(each) === idOf(retry))
  if (!same) return pass('the retry is a request of its own', cite(before[0]?.event, retry.event))
  return violation(
    'the retry has the id of a request before it',
    { expected: 'another id', actual: show(idOf(retry)) },
    cite(same.event, retry.event),
  )
}

export const answersByKey = onRetry(hasAnswers)

export function hasAnswers({ asked, retry }: Round): ReturnType<Judge> {
  const expected = Object.keys(inputRequestsIn(resultOf(asked)) ?? {}).toSorted()
  const actual = Object.keys(inputResponsesIn(retry.message)).toSorted()
  const evidence = cite(asked.event, retry.event)
  if (show(actual) === show(expected)) return pass('every request has its answer', evidence)
  return violation(
    'the retry does not answer what was asked, by the keys of that',
    { expected: show(expected), actual: show(actual) },
    evidence,
  )
}

/** What the user asked for is what is tried again. */
export function repeats({ first, retry }: Pick<Round, 'first' | 'retry'>): ReturnType<Judge> {
  const [expected, actual] = [first, retry].map((each) => {
    const { name, arguments: args } = paramsOf(each)
    return show({ name, arguments: args })
  })
  const evidence = cite(first.event, retry.event)
  if (actual === expected) return pass('the retry repeats the request', evidence)
  return violation(
    'the retry is another request than the one that needed input',
    { expected: expected!, actual: actual! },
    evidence,
  )
}

const keepsToRetry: Judge = (t) => {
  const call = callOf(t)
  const round = roundOf(call)
  if (typeof round === 'string') return inconclusive(round)
  const others = clientFrames(t).filter(
    ({ event, message }) =>
      message.kind === 'request' &&
      isAfter(event, round.asked.event) &&
      !call.attempts.some((attempt) => attempt.event.seq === event.seq),
  )
  const wrong = others.find((each) =>
    ['requestState', 'inputResponses'].some((name) => paramsOf(each)[name] !== undefined),
  )
  if (wrong) {
    return violation(
      'another request carries what belongs to the retry of the first',
      { expected: 'no requestState and no inputResponses', actual: show(paramsOf(wrong)) },
      cite(round.asked.event, wrong.event),
    )
  }
  const [other] = callOf(t, 'call-2').attempts
  if (!other) return inconclusive('no other call was made')
  return pass('no other request has anything of it', cite(round.asked.event, other.event))
}

export const modernScenarios = [
  scenario({
    id: 'modern',
    title: 'without a handshake: the result asks for input, the user agrees, the retry is served',
    control,
    notApplicable: needsModern,
    async drive({ open, observe }) {
      const client = await open({ modern: true })
      const call = await client.begin()
      await call.ask()
      await call.prompted()
      await observe()
      await call.accept()
      await call.replied()
      await call.finish()
      const again = await client.begin()
      await again.finish()
    },
    checks: [
      check(
        'mcp-url-elicitation/client/declare-mode',
        'declares URL mode with every request',
        declaresMode,
      ),
      check('mcp-url-elicitation/client/show-full-url', 'shows the whole URL', showsFullUrl),
      check('mcp-url-elicitation/client/show-server', 'says which server asks', showsServer(0)),
      check(
        'mcp-url-elicitation/client/consent-before-opening',
        'opens the URL once its user has agreed',
        opensAfterConsent,
      ),
      check('mcp-url-elicitation/client/no-prefetch', 'fetches nothing itself', fetchesNothing),
      check('mcp-url-elicitation/client/open-exact-url', 'opens the very URL', opensExactly),
      check(
        'mcp-url-elicitation/client/accept-after-consent',
        'accepts once its user has agreed',
        acceptsAfterConsent,
      ),
      check('mcp-url-elicitation/client/echo-state', 'echoes the state', onRetry(echoes)),
      check(
        'mcp-url-elicitation/client/repeat-request',
        'makes the same call again',
        onRetry(repeats),
      ),
      check(
        'mcp-url-elicitation/client/new-id',
        'makes the retry a new request',
        onRetry(takesNewId),
      ),
      check('mcp-url-elicitation/client/answer-keys', 'answers by key', answersByKey),
      check(
        'mcp-url-elicitation/client/state-only-in-retry',
        'uses it for nothing but the retry',
        keepsToRetry,
      ),
    ],
  }),
  scenario({
    id: 'modern-empty-state',
    title: 'without a handshake: the result that asks for input has a state, and that is empty',
    control: 'modern',
    notApplicable: needsModern,
    async drive({ open }) {
      const client = await open({ modern: true })
      const call = await client.begin()
      await call.ask({ state: '' })
      await call.prompted()
      await call.accept()
      await call.replied()
      await call.finish()
    },
    checks: [
      check('mcp-url-elicitation/client/echo-state', 'echoes an empty state', onRetry(echoes)),
    ],
  }),
  scenario({
    id: 'modern-without-state',
    title:
      'without a handshake: after a call with a state, the result that asks for input has none',
    control: 'modern',
    notApplicable: needsModern,
    async drive({ open }) {
      const client = await open({ modern: true })
      for (const state of [true, false]) {
        const call = await client.begin()
        await call.ask({ state })
        await call.prompted()
        await call.accept()
        await call.replied()
        await call.finish()
      }
    },
    checks: [
      check(
        'mcp-url-elicitation/client/echo-state',
        'neither invents a state nor keeps an old one',
        onRetry(echoes, { name: 'call-2' }),
      ),
    ],
  }),
]
