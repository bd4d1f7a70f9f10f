/** The runtime's own timeout: nobody authorizes, and the call ends all the same, in time. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { checkAnyway as check, type Judge } from '../judges/check.ts'
import { showsNothingOf } from '../judges/shown-urls.ts'
import { forgetsUrls } from '../forgetting.ts'
import {
  claimedBy,
  tellsOfAuthorization,
  tellsOfFailure,
  tellsOfWaiting,
} from '../pending-notice.ts'
import { firstGiven, notesOf, type Note } from '../model-input.ts'
import {
  askedOf,
  callOf,
  delivered,
  idsOf,
  isAfter,
  mark,
  show,
  waitedInVain,
  type Moment,
} from '../view.ts'
import type { Call } from '../call.ts'
import type { Conversation } from '../session.ts'
import { controls, goOn, scenario } from './define.ts'
import { afterTheEnd } from './cancellation.ts'

const unended = 'the call was not ended'
const unheard = 'the model was not asked'
/** What is said of a call that did not stay pending for as long as was declared. */
export const tooEarly = 'the call was ended before its timeout'

export const timedOut = scenario({
  id: 'runtime-timeout',
  ownInstance: true,
  title: "nobody authorizes until the runtime's own timeout, then a late result arrives",
  control: controls.oauth,
  notApplicable: withoutTimeout,
  async drive(shared) {
    const { declared, timing } = shared
    const { userTimeoutMs } = declared
    // Where we start it, the shared instance may be told to wait for longer, see {user.timeoutMs}.
    const own = userTimeoutMs !== undefined && declared.multipliable
    const timed = { timeoutMs: userTimeoutMs ?? 0 }
    const fixtures =
      (await shared.movable(timed)) ?? (own ? await shared.ownInstance(timed) : shared)
    const { converse, observe, mark, advanceClock, scanStorage } = fixtures
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    await call.awaitSurfaced(oauth)
    const timeoutMs = userTimeoutMs ?? 0
    // Where its clock can be moved, most of the time passes at once; half of it must not be enough.
    const half = Math.round(timeoutMs / 2)
    const isMoved = (await advanceClock(half)) !== undefined
    if (isMoved) await observe()
    const nap = isMoved ? ((await advanceClock(timeoutMs - half)) ?? 0) : 0
    const within = isMoved ? timing.stepMs + nap : timeoutMs + timing.graceMs
    await awaitTimeout(conversation, call, timeoutMs, Math.min(within, timing.maxWaitMs))
    mark('ended')
    await afterTheEnd(call)
    await observe()
    await conversation.awaitModel(conversation.say())
    await scanStorage([oauth.token])
  },
  checks: [
    check(
      'rap-oauth/runtime/documented-timeout',
      'ends the call with an error result, in time',
      endsInTime(),
    ),
    check(
      'rap-oauth/runtime/discard-unmatched-result',
      'discards the result that comes after its timeout',
      (t) => {
        const late = delivered(t, 'late')
        if (!late?.answer || !mark(t, 'ended')) return inconclusive('no late result was sent')
        const given = firstGiven(t, late.token)
        if (given) {
          const difference = { expected: 'nothing of it', actual: given.text.slice(0, 300) }
          return violation(
            'the result of a call that has timed out was given to the model',
            difference,
            cite(late.request, given.asked.step),
          )
        }
        const later = askedOf(t).find(({ step }) => late.request && isAfter(step, late.request))
        if (!later) return inconclusive('the model was not asked afterwards')
        return pass('it was discarded', cite(late.request, later.step))
      },
    ),
    check(
      'rap-oauth/runtime/no-surface-without-call',
      'shows nothing of an oauth message that comes after its timeout',
      unlessPending(showsNothingOf('late-oauth')),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'keeps nothing of the URL after its timeout',
      unlessPending(forgetsUrls((t, ms) => endOf(t, ms)?.asked.step, { scanned: true })),
    ),
  ],
})

/** Why nothing can be asked about a timeout, where none is declared. */
export function withoutTimeout({ userTimeoutMs }: Declared): string | undefined {
  return userTimeoutMs === undefined
    ? 'no timeout of its own is declared (declares.userTimeout)'
    : undefined
}

/** Waits until the timeout of a call has ended it for the model. @throws Unreached */
export async function awaitTimeout(
  conversation: Conversation,
  call: Call,
  timeoutMs: number,
  within: number,
): Promise<void> {
  const ended = await goOn(call.awaitThat(unended, (_, t) => endOf(t, timeoutMs), within))
  // Where the model could not be asked just then, the next message takes the report along.
  const isOver = (): boolean => endOf(call.transcript(), timeoutMs) !== undefined
  if (!isOver()) await goOn(conversation.awaitModel(conversation.say(), unheard))
  if (!isOver()) ended()
}

function unlessPending(judge: Judge): Judge {
  return (t, context) =>
    mark(t, 'ended') ? judge(t, context) : inconclusive('the call was not ended')
}

/** Milliseconds of the runtime's time since the model asked for the tool: from then on it may count. */
function ageAt(t: Transcript, event: Moment): number {
  const { toolCall, invocations } = callOf(t)
  const begun = toolCall ?? invocations[0]
  const moved = t
    .steps('clock-advanced')
    .filter((step) => isAfter(event, step))
    .reduce((sum, { detail }) => sum + Number(detail['ms']), 0)
  return begun ? event.t - begun.t + moved : 0
}

/** A little less than the declared timeout: nobody measures the same moments. */
const nearly = 0.9

/**
 * What ended the call for the model: an error at any time, or, once the timeout is nearly over, anything new about the
 * call, in whichever words. What is first told when the user speaks may be that the call is still pending.
 */
function endOf(t: Transcript, timeoutMs: number): Note | undefined {
  const oauth = delivered(t, 'oauth')?.request
  const call = callOf(t)
  if (!oauth) return undefined
  const before = delivered(t, 'late')?.request
  return notesOf(t, call.conversation, oauth, before).find(({ asked, callId, text, isError }) => {
    const ids = idsOf(call, asked)
    const answers = callId !== undefined && ids.includes(callId)
    if (answers && claimedBy(text, isError, delivered(t, 'oauth')?.token) !== undefined) return true
    const [said] = t.steps('say')
    const names = answers || [...ids, call.tool].some((id) => text.includes(id))
    if (said && isAfter(asked.step, said)) return tellsOfFailure(text)
    return ageAt(t, asked.step) >= timeoutMs * nearly && (names || tellsOfFailure(text))
  })
}

/** What the model was first told of the call when the user spoke, if it is not known to say that the call is pending. */
function wordsAfter(t: Transcript, said: Moment | undefined): Note | undefined {
  const call = callOf(t)
  if (!said) return undefined
  const before = delivered(t, 'late')?.request
  return notesOf(t, call.conversation, said, before).find(
    ({ asked, callId, text }) =>
      (idsOf(call, asked).some((id) => id === callId || text.includes(id)) ||
        text.includes(call.tool)) &&
      !tellsOfAuthorization(text) &&
      !tellsOfWaiting(text),
  )
}

/** The call ends with an error for the model when its declared timeout is over, and not before. */
export function endsInTime(): Judge {
  return (t, { declared, timing }) => {
    const { userTimeoutMs = 0 } = declared
    const [first] = callOf(t).invocations
    if (!first || !delivered(t, 'oauth')) return inconclusive('the call was not pending')
    const note = endOf(t, userTimeoutMs)
    const expected = `an error result after ${userTimeoutMs} ms`
    if (!note) {
      const waited = waitedInVain(t, unended)
      const [said] = t.steps('say')
      const asked = said && firstGiven(t, String(said.detail['reference']))
      if (waited === undefined || (!asked && waitedInVain(t, unheard) === undefined))
        return inconclusive('the run did not wait for it')
      const moved = t.steps('clock-advanced')[0]
      if (!moved && waited < userTimeoutMs + timing.graceMs) {
        return inconclusive(`the run waits ${waited} ms at most (timing.maxWait, --max-wait)`)
      }
      const words = wordsAfter(t, said)
      if (words) {
        const shown = show(words.text.slice(0, 200))
        return inconclusive(
          `with the next message the model was told ${shown}, which may say that the call has ended or that it is pending: report the end in time, and in English`,
          cite(first, words.asked.step),
        )
      }
      const difference = { expected, actual: `none within ${waited} ms` }
      return violation('the declared timeout did not end the call', difference, cite(first, moved))
    }
    const { asked, callId, text, isError } = note
    const evidence = cite(first, asked.step)
    const after = Math.round(ageAt(t, asked.step))
    const difference = {
      expected,
      actual: `${JSON.stringify(text.slice(0, 200))} after ${after} ms`,
    }
    if (after < userTimeoutMs * nearly) {
      return violation(tooEarly, difference, evidence)
    }
    // An envelope may call the tool call completed that it reports the failure of.
    const answers = callId !== undefined && !tellsOfFailure(text)
    const claim = answers ? claimedBy(text, isError, undefined) : undefined
    if (claim !== undefined && claim !== 'an error') {
      return violation(`the timeout is reported as ${claim}, not as an error`, difference, evidence)
    }
    return pass(`after ${after} ms`, evidence)
  }
}
