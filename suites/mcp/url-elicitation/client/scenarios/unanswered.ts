/** The user has not said anything yet: what the client does meanwhile, and what completions of the server do to it. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  NotOffered,
  pass,
  show,
  violation,
  watchedAfter,
  type Judgement,
  type Need,
  type Recorded,
  type StepEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import {
  acceptsAfterConsent,
  check,
  fetchesNothing,
  opensAfterConsent,
  unanswered,
  type Judge,
} from '../checks.ts'
import { needsHandshake } from '../conditions.ts'
import { callOf, endedAfter } from '../view.ts'
import { control, scenario } from './define.ts'

const watchedWhilePending = [
  check(
    'mcp-url-elicitation/client/accept-after-consent',
    'does not accept for its user',
    acceptsAfterConsent,
  ),
  check(
    'mcp-url-elicitation/client/consent-before-opening',
    'opens nothing while its user thinks about it',
    opensAfterConsent,
  ),
]

export const thinkingUser = scenario({
  id: 'thinking-user',
  title: 'the user takes their time, and says nothing',
  control,
  async drive({ open, silence }) {
    const client = await open()
    const call = await client.begin()
    await call.ask()
    await call.prompted()
    await silence()
  },
  checks: [
    ...watchedWhilePending,
    check(
      'mcp-url-elicitation/client/no-prefetch',
      'fetches nothing while its user thinks about it',
      fetchesNothing,
    ),
  ],
})

/** Clients behind an adapter need not have an input that ends. */
const ownTerminal: Need = {
  what: 'a terminal that its user could close',
  seen: () => undefined,
}

/** Who closes the terminal has made no explicit choice (Elicitation, Response Actions: Cancel). */
export const inputEnds = scenario({
  id: 'input-ends',
  title: 'the user is asked, and closes the terminal without a word',
  control,
  needs: ownTerminal,
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    await call.ask()
    await call.prompted()
    await call.endInput()
    await observe()
  },
  checks: watchedWhilePending,
})

export const completeEarly = scenario({
  id: 'complete-early',
  title: 'the server says that it is complete before the user has agreed',
  control,
  notApplicable: needsHandshake,
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    await call.ask()
    await call.prompted()
    call.complete()
    await observe()
  },
  checks: watchedWhilePending,
})

/** What is to be ignored ended the client. */
function endsAt(
  t: Transcript,
  completed: Recorded<StepEvent>,
  what: string,
): Judgement | undefined {
  const ended = endedAfter(t, completed)
  return (
    ended &&
    violation(
      `after ${what} the client ended`,
      { expected: 'it is ignored', actual: show(ended.detail['reason']) },
      cite(completed, ended),
    )
  )
}

/** The prompt stays as it was: what its user then says is what the client answers. */
const keepsPrompt: Judge = (t) => {
  const call = callOf(t)
  const sent = t.steps('complete')[0]
  if (!sent) return inconclusive('no unknown completion was sent')
  const ended = endsAt(t, sent, 'the completion of an unknown elicitation')
  if (ended) return ended
  const agreed = call.decisions[0]
  const before = call.replies.find(({ event }) => isAfter(event, sent) && !isAfter(event, agreed))
  if (before) {
    return violation(
      'the completion of an unknown elicitation answered the one that was pending',
      { expected: 'it is ignored', actual: show(before.action ?? before.error) },
      cite(sent, before.event),
    )
  }
  if (!agreed) return inconclusive('the run did not wait for its user')
  const reply = call.replies.find(({ event }) => isAfter(event, agreed))
  if (!reply) {
    const message = 'after the completion of an unknown elicitation the prompt led to nothing'
    return unanswered(t, call, agreed, message)
  }
  if (reply.action === 'accept') return pass('it was ignored', cite(sent, reply.event))
  return violation(
    'after the completion of an unknown elicitation the answer of the user was not sent',
    { expected: 'accept', actual: show(reply.action ?? reply.error) },
    cite(sent, agreed, reply.event),
  )
}

export const completeUnknown = scenario({
  id: 'complete-unknown',
  title: 'the server completes an elicitation that there never was, while another is pending',
  control,
  notApplicable: needsHandshake,
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    await call.ask()
    await call.prompted()
    await observe()
    call.completeOthers()
    call.completeElsewhere()
    await observe()
    await call.agree()
    await call.replied()
    await call.finish()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/ignore-unknown-complete',
      'ignores an unknown elicitation',
      keepsPrompt,
    ),
  ],
})

/** The client lives on: its next call gets through, and nothing else comes of it. */
const livesOn: Judge = (t) => {
  const late = mark(t, 'completed-twice')
  const call = callOf(t)
  const watchedFor = watchedAfter(t, late)
  if (!late) return inconclusive('nothing was completed twice')
  const ended = endsAt(t, late, 'a second completion of the same elicitation')
  if (ended) return ended
  const opened = call.opened.find((each) => isAfter(each, late))
  const again = call.attempts.find(({ event }) => isAfter(event, late))
  const wrong = opened ?? again?.event
  if (wrong) {
    return violation(
      'the client reacted to a second completion of the same elicitation',
      {
        expected: 'it is ignored',
        actual: opened ? 'the URL is opened' : 'the call is made again',
      },
      cite(late, wrong),
    )
  }
  const next = callOf(t, 'call-2')
  const [attempt] = next.attempts
  if (!next.begun) return inconclusive('no further call was made')
  if (attempt && watchedFor !== undefined)
    return pass('it was ignored, and the next call got through', cite(late, attempt.event))
  if (attempt) return inconclusive('the run did not watch what happened next')
  const message = 'after an elicitation was completed twice, the client made no further call'
  return unanswered(t, next, next.begun, message)
}

/** A client need not open the stream that GET opens; over stdio there is no other. */
export const listening: Need = {
  what: 'a stream for what a server says beside its answers',
  seen: (run) =>
    [...run.values()]
      .flatMap((t) => t.requests('mcp'))
      .find(({ method }) => method === 'GET' || method === 'STDIN'),
}

export const completeTwice = scenario({
  id: 'complete-twice',
  title: 'the server completes an elicitation once more, when everything is over',
  control,
  needs: listening,
  notApplicable: needsHandshake,
  async drive({ open, observe, mark: note }) {
    const client = await open()
    const call = await client.begin()
    await call.ask()
    await call.prompted()
    await call.accept()
    await call.replied()
    call.complete()
    await call.finish()
    note('completed-twice')
    if (!call.complete()) throw new NotOffered('the client has no stream beside its calls')
    await observe()
    const next = await client.begin()
    await next.finish()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/ignore-unknown-complete',
      'ignores what is complete already',
      livesOn,
    ),
  ],
})
