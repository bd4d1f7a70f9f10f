/** Tools that do not acknowledge as they should: refusals, failures, resets. */

import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
  worstOf,
  type Answer,
  type Check,
  type Judgement,
  type Timing,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversResult } from '../judges/given-results.ts'
import { sameInEveryAttempt } from '../judges/invocations.ts'
import type { Call } from '../call.ts'
import type { Conversation } from '../session.ts'
import { claimedBy, tellsOfFailure, tellsOfWaiting } from '../pending-notice.ts'
import { firstGiven, gistOf, notesOf, type Note } from '../model-input.ts'
import {
  callOf,
  callsOf,
  gaveUp,
  idsOf,
  waitedInVain,
  watchedAfter,
  type CallView,
} from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const unfinished = 'neither another attempt nor a report yet'
const untold = 'the model was not told'
const unheard = 'the model was not asked'
const noFurther = 'no further attempt, and no failure'
/** By how much a delay between attempts may be longer than the one before. */
const mostGrowth = 3

/**
 * The first thing that the model is told of a call since it was invoked, unless it is what it is told of every call.
 * A text that tells of a failure counts wherever it stands; another one must answer the tool call or name it. What every
 * call is told that its user interrupts by talking is no report.
 */
function told(
  t: Transcript,
  name = 'call-1',
  usual: ReadonlySet<string> = new Set(),
  counts: (note: Note) => boolean = () => true,
) {
  const call = callOf(t, name)
  const [first] = call.invocations
  if (!first) return undefined
  const tellsOf = ({ asked, callId, text, isError }: Note): boolean => {
    const ids = idsOf(call, asked)
    if (usual.has(gistOf(text, call))) return false
    if (isError || tellsOfFailure(text)) return true
    const named = callId === undefined ? [...ids, call.tool].some((id) => text.includes(id)) : false
    return named || ids.includes(callId ?? '')
  }
  return notesOf(t, call.conversation, first).find((note) => counts(note) && tellsOf(note))
}

/** What the model is told of a call while nothing is wrong with it. */
function usualNotes(control: Transcript | undefined): Set<string> {
  const call = control && callOf(control)
  const [first] = call?.invocations ?? []
  if (!call || !first) return new Set()
  const before = call.deliveries[0]?.request
  const notes = notesOf(control, call.conversation, first, before)
  return new Set(notes.map(({ text }) => gistOf(text, call)))
}

/** 401 and 404 are those for which a client logs in or looks again, the others those that HTTP libraries take for transient. */
const refusals = [400, 401, 404, 408, 409, 425, 429].map((status) =>
  scenario({
    id: `acknowledged-with-${status}`,
    title: `the tool refuses the invocation with ${status}`,
    control: controls.talk,
    async drive({ converse, observe, timing }) {
      const conversation = converse()
      const call = conversation.ask({ acknowledge: () => status })
      await call.awaitInvocation()
      await awaitReport(conversation, call, timing)
      await observe()
    },
    checks: refusalChecks(),
  }),
)

/** What is judged of an invocation that was refused, with whichever attempt. */
function refusalChecks(): readonly Check<Declared>[] {
  return [
    check('rap-oauth/runtime/no-retry-on-4xx', 'does not invoke again', (t) => {
      const { invocations } = callOf(t)
      const at = invocations.findIndex((each) => isRefusal(t.answer(each)))
      const [refused, again] = at < 0 ? [] : invocations.slice(at)
      const answer = refused && t.answer(refused)
      if (!refused || answer?.type !== 'response') return inconclusive('it was not refused')
      if (again) {
        return violation(
          `an invocation that was refused with ${answer.status} was sent again`,
          { expected: 'no further attempt', actual: `${invocations.length - at - 1}` },
          cite(refused, again),
        )
      }
      const watched = watchedAfter(t, refused)
      if (watched === undefined) return inconclusive('the run did not watch long enough')
      return pass(`no further attempt, watched for ${watched} ms`, cite(refused))
    }),
    check(
      'rap-oauth/runtime/report-undeliverable',
      'tells the model that the tool refuses',
      tellsModel(),
    ),
  ]
}

function isRefusal(answer: Answer): boolean {
  return answer?.type === 'response' && answer.status >= 400 && answer.status < 500
}

/** Noise of a busy machine makes delays longer, never shorter, so one attempt that shows growth is enough. */
const tries = 3

/** How often an invocation fails: a delay of which the first ones are all the least grows later. */
const failures = (nthTry: number): number => (nthTry === 0 ? 3 : 5)

/** Beside the reference, by which an attempt is told to belong to a call; the inputSchema allows it. */
const details = { filter: { labels: ['new'], since: null } }

/** Retrying is recommended, and how often is up to the runtime (RAP Transport, Delivery Requirements). */
const persistence = { what: 'as many attempts as the tool let fail', seen: () => undefined }

/** Ends the call, if the tool took it with the attempt of that index; otherwise no result could end it any more. */
async function endTaken(call: Call, taken: number): Promise<boolean> {
  const isTaken = call.seen().invocations.length > taken
  if (isTaken) await call.awaitGiven(await call.result())
  return isTaken
}

/** @throws NotOffered where the model was told of a failure after fewer attempts */
function requireTaken(call: Call): void {
  const view = call.seen()
  if (reported(view, call.transcript()))
    throw new NotOffered(`the model was told after ${view.invocations.length} of them`)
}

/** What is judged of attempts that failed, and of the one that the tool took. */
const attemptChecks = [
  check('rap-oauth/runtime/retry-on-failure', 'tries again, or tells the model', retries()),
  check(
    'rap-oauth/runtime/invocation-faithful',
    'says the same in every attempt',
    sameInEveryAttempt('operation', 'arguments'),
  ),
  check(
    'rap-oauth/runtime/user-id-of-own-user',
    'names the same user in every attempt',
    sameInEveryAttempt('user_id'),
  ),
  check(
    'rap-oauth/runtime/deliver-result',
    'gives the model the result of the attempt that was taken',
    (t, context) => {
      const taken = callsOf(t).filter((call) => call.deliveries.length > 0)
      const judgements = taken.map(({ name }) => deliversResult('result', name)(t, context))
      return worstOf(judgements) ?? judgements[0] ?? inconclusive('no attempt was taken')
    },
  ),
]

const fails = scenario({
  id: 'acknowledged-with-503',
  title: 'the tool answers 503 three times, or five, then 200',
  control: controls.talk,
  needs: persistence,
  async drive({ converse, timing }) {
    let isTaken = false
    for (let count = 0; ; count += 1) {
      const conversation = converse()
      const failing = failures(count)
      const call = conversation.ask({ details, acknowledge: (nth) => (nth < failing ? 503 : 200) })
      await call.awaitInvocation()
      await awaitReport(conversation, call, timing, failing)
      if (await endTaken(call, failing)) isTaken = true
      const { invocations } = call.seen()
      if (invocations.length >= 3 && !grows(gapsOf(invocations)) && count + 1 < tries) continue
      return isTaken ? undefined : requireTaken(call)
    }
  },
  checks: [
    ...attemptChecks,
    check('rap-oauth/runtime/retry-with-backoff', 'waits longer each time', (t) => {
      const failed = callsOf(t).filter(({ invocations }) => invocations.length > 0)
      const calls = failed.filter(({ invocations }) => invocations.length >= 3)
      if (calls.length === 0) return fewAttempts(t, failed[0])
      const growing = calls.find(({ invocations }) => grows(gapsOf(invocations)))
      const { invocations } = growing ?? calls[0]!
      const gaps = gapsOf(invocations).map((gap) => `${Math.round(gap)} ms`)
      const shown = gaps.join(', then ')
      if (growing) return pass(shown, cite(...invocations))
      if (calls.length < tries)
        return inconclusive(`${shown}, at ${calls.length} of ${tries} calls`)
      return violation(
        'retries do not come with growing delays',
        {
          expected: 'a longer delay before the last attempt than before the second',
          actual: shown,
        },
        cite(...invocations),
      )
    }),
  ],
})

const reset = scenario({
  id: 'invocation-reset',
  title: 'the connection to the tool is reset twice, then it answers',
  control: controls.talk,
  needs: persistence,
  async drive({ converse, timing }) {
    const conversation = converse()
    const call = conversation.ask({ details, acknowledge: (nth) => (nth < 2 ? 'reset' : 200) })
    await call.awaitInvocation()
    await awaitReport(conversation, call, timing, 2)
    if (!(await endTaken(call, 2))) requireTaken(call)
  },
  checks: attemptChecks,
})

const refusedLater = scenario({
  id: 'acknowledged-with-503-then-400',
  title: 'the tool answers 503, and refuses the next attempt with 400',
  control: controls.talk,
  needs: persistence,
  async drive({ converse, observe, timing }) {
    const conversation = converse()
    const call = conversation.ask({ acknowledge: (nth) => (nth === 0 ? 503 : 400) })
    await call.awaitInvocation()
    await awaitReport(conversation, call, timing)
    if (call.seen().invocations.length < 2) requireTaken(call)
    await observe()
  },
  checks: refusalChecks(),
})

function gapsOf(invocations: CallView['invocations']): number[] {
  return invocations.slice(1).map((each, index) => each.t - (invocations[index]?.t ?? each.t))
}

function grows(gaps: readonly number[]): boolean {
  const [first = 0] = gaps
  return (gaps.at(-1) ?? 0) >= first * 1.3
}

/** Whether the drive has seen enough: what is said of any running call is sorted out by the check. */
function reported({ name }: CallView, t: Transcript): unknown {
  return told(t, name, undefined, endsTheWaiting)
}

function endsTheWaiting(note: Note): boolean {
  return isFailure(note) || !tellsOfWaiting(note.text)
}

function isFailure({ text, isError }: Note): boolean {
  return claimedBy(text, isError, undefined) === 'an error'
}

/**
 * Waits for a report, or for the attempt of that index, which the tool takes. One that tries again may take its time (reading
 * 43), and what the user says may interrupt it (reading 41). A runtime may keep its report until the model is asked again, so
 * the user speaks when no further attempt is due, and once more it gets all the time that there is.
 */
async function awaitReport(
  conversation: Conversation,
  call: Call,
  { stepMs, maxWaitMs }: Timing,
  taken = Infinity,
): Promise<void> {
  const isTaken = ({ invocations }: CallView): boolean => invocations.length > taken
  const enough = (view: CallView, t: Transcript): unknown => isTaken(view) || reported(view, t)
  await goOn(call.awaitThat(unfinished, enough, stepMs))
  if (!enough(call.seen(), call.transcript())) await awaitAttempts(call, maxWaitMs, isTaken)
  if (enough(call.seen(), call.transcript())) return
  await goOn(conversation.awaitModel(conversation.say(), unheard))
  await awaitAttempts(call, maxWaitMs, isTaken)
  await goOn(call.awaitThat(untold, enough, maxWaitMs))
}

/**
 * Waits for a failure in English, or until no further attempt is due: until then any other words may be those that every
 * running call is given, in whichever language.
 */
async function awaitAttempts(
  call: Call,
  maxWaitMs: number,
  isTaken: (view: CallView) => boolean,
): Promise<void> {
  for (;;) {
    const known = call.seen().invocations.length
    const isNext = ({ invocations }: CallView): boolean => invocations.length > known
    const isOver = (view: CallView, t: Transcript): unknown =>
      isNext(view) || told(t, view.name, undefined, isFailure)
    const within = Math.min(maxWaitMs, mostGrowth * (gapsOf(call.seen().invocations).at(-1) ?? 0))
    if (within === 0) return
    await goOn(call.awaitThat(noFurther, isOver, within))
    const seen = call.seen()
    if (!isNext(seen) || isTaken(seen)) return
  }
}

/** Whether the run ended while another attempt might still have come: delays grow. */
function stillTrying(t: Transcript, { name, invocations }: CallView): boolean {
  const [before, last] = invocations.slice(-2)
  const end = gaveUp(t, untold, name)
  return Boolean(before && last && end && end.t - last.t < (last.t - before.t) * mostGrowth)
}

const nextAttempt =
  'it still tries again, at delays for which the run does not wait (timing.maxWait, --max-wait)'

/** How long a report was waited for in vain, the last chance included; `undefined` if it was not. */
function unreported(t: Transcript, call = 'call-1'): number | undefined {
  const [said] = t.steps('say')
  const asked = said && firstGiven(t, String(said.detail['reference']))
  if (!asked && waitedInVain(t, unheard) === undefined) return undefined
  return waitedInVain(t, untold, call)
}

/** Fewer than three attempts have no delays to compare, and are no retrying with backoff either. */
function fewAttempts(t: Transcript, call: CallView | undefined): Judgement {
  const [first] = call?.invocations ?? []
  if (!call || !first || !t.answer(first)) return inconclusive('the invocation did not fail')
  const ended = unreported(t, call.name) !== undefined || told(t, call.name)
  if (!ended) return inconclusive('there were not three attempts')
  if (stillTrying(t, call)) return inconclusive(nextAttempt, cite(...call.invocations))
  return violation(
    'an invocation that failed with 503 is not retried often enough to show growing delays',
    { expected: 'several attempts, with growing delays', actual: `${call.invocations.length}` },
    cite(...call.invocations),
  )
}

function retries(): Judge {
  return (t, { control }) => {
    const { invocations } = callOf(t)
    const [first, second] = invocations
    if (!first || !t.answer(first)) return inconclusive('the invocation did not fail')
    if (second) return pass(`${invocations.length} attempts`, cite(...invocations))
    const report = told(t, 'call-1', usualNotes(control))
    if (report) return pass(`the model was told ${quote(report)}`, cite(first, report.asked.step))
    const waited = unreported(t)
    if (waited === undefined) return inconclusive('the run did not wait for it')
    return violation(
      'an invocation that failed leaves the call hanging: retry it, or report it to the model',
      { expected: 'another attempt or an error result', actual: `neither within ${waited} ms` },
      cite(first),
    )
  }
}

const unavailable = scenario({
  id: 'acknowledged-with-503-for-good',
  title: 'the tool always answers 503',
  control: controls.talk,
  async drive({ converse, timing }) {
    const conversation = converse()
    const call = conversation.ask({ acknowledge: () => 503 })
    await call.awaitInvocation()
    await awaitReport(conversation, call, timing)
  },
  checks: [
    check(
      'rap-oauth/runtime/report-undeliverable',
      'tells the model that the tool cannot be reached',
      tellsModel(),
    ),
  ],
})

function quote({ text }: Note): string {
  return JSON.stringify(text.slice(0, 120))
}

function tellsModel(): Judge {
  return (t, { control }) => {
    const { invocations } = callOf(t)
    const first = invocations[0]
    if (!first || !t.answer(first)) return inconclusive('the invocation did not fail')
    const report = told(t, 'call-1', usualNotes(control))
    if (report) return pass(`the model was told ${quote(report)}`, cite(first, report.asked.step))
    const waited = unreported(t)
    if (waited === undefined) return inconclusive('the run did not wait for it')
    if (stillTrying(t, callOf(t))) return inconclusive(nextAttempt, cite(...invocations))
    return violation(
      'the model is never told that the invocation could not be delivered: record an error result for the tool call',
      { expected: 'an error result for the tool call', actual: `nothing within ${waited} ms` },
      cite(...invocations),
    )
  }
}

export const acknowledgementScenarios = [...refusals, refusedLater, fails, reset, unavailable]
