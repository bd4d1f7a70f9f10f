/** The error -32042: what has to be done before the call can be made again (2025-11-25 and older revisions). */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  NotOffered,
  pass,
  violation,
  watchedAfter,
  type Need,
} from '../../../../../harness/engine/index.ts'
import {
  check,
  fetchesNothing,
  opensAfterConsent,
  opensExactly,
  unanswered,
  type Judge,
} from '../checks.ts'
import { needsHandshake } from '../conditions.ts'
import type { AskOptions } from '../asking.ts'
import type { Call } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { showsFullUrl, showsServer } from '../prompts.ts'
import { agreedIn, callOf, callsOf, promptIn } from '../view.ts'
import { control, scenario } from './define.ts'
import { listening } from './unanswered.ts'

/** A client need not handle the error; it should. */
export const prompting: Need = {
  what: 'a prompt for the error -32042',
  seen: (run) =>
    [...run.values()]
      .flatMap((t) => callsOf(t))
      .filter(({ askings }) => askings[0]?.how === 'error')
      .map(promptIn)
      .find((prompt) => prompt !== undefined),
}

/** Up to the prompt for the error. */
export async function promptedByError({ open }: Fixtures, asking: AskOptions = {}): Promise<Call> {
  const client = await open()
  const call = await client.begin()
  await call.ask({ ...asking, byError: true })
  if ((await call.settled()) !== 'prompted') throw new NotOffered('nobody was asked')
  return call
}

const promptsForError: Judge = (t) => {
  const call = callOf(t)
  const [asking] = call.askings
  if (!asking) return inconclusive('the error was not sent')
  const prompt = promptIn(call)
  if (prompt) return pass('the user was asked', cite(asking.frame.event, prompt))
  return unanswered(t, call, asking.frame.event, 'the error led to no prompt')
}

export const errorPath = scenario({
  id: 'required-error',
  title: 'a call is refused with -32042 until its user has been to the URL',
  control,
  needs: prompting,
  notApplicable: needsHandshake,
  async drive(fixtures) {
    const call = await promptedByError(fixtures)
    await fixtures.observe()
    await call.accept()
    call.complete()
    await call.retried()
    await call.finish()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/handle-required-error',
      'asks its user for what the error requires',
      promptsForError,
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
  ],
})

/** Times that a call may be made again in one observation window without anybody asking for it. */
const mostRetries = 10

const retriesSeldom: Judge = (t) => {
  const call = callOf(t)
  const refused = mark(t, 'refused-for-ever')
  const ms = watchedAfter(t, refused)
  if (!refused || ms === undefined) return inconclusive('the run did not watch what happened next')
  const retries = call.attempts.filter(({ event }) => isAfter(event, refused))
  const evidence = cite(refused, retries.at(-1)?.event)
  if (retries.length <= mostRetries)
    return pass(`it was tried again ${retries.length} times within ${ms} ms`, evidence)
  return violation(
    'the client repeats the call again and again although nothing has changed',
    {
      expected: `at most ${mostRetries} further calls within ${ms} ms`,
      actual: `${retries.length}`,
    },
    evidence,
  )
}

/** @throws Unreached where nobody is asked */
async function refusedForEver(fixtures: Fixtures): Promise<Call> {
  const call = await promptedByError(fixtures)
  call.refuseForEver()
  fixtures.mark('refused-for-ever')
  return call
}

export const errorDeclined = scenario({
  id: 'required-error-declined',
  title: 'the user declines what -32042 requires',
  control,
  needs: prompting,
  notApplicable: needsHandshake,
  async drive(fixtures) {
    const call = await refusedForEver(fixtures)
    await call.decide('decline')
    await fixtures.observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/consent-before-opening',
      'opens nothing that its user has declined',
      opensAfterConsent,
    ),
    check(
      'mcp-url-elicitation/client/handle-required-error',
      'does not try for ever what its user has declined',
      retriesSeldom,
    ),
  ],
})

export const errorForEver = scenario({
  id: 'required-error-for-ever',
  title: 'the call is refused with -32042 again and again, whatever its user does',
  control,
  needs: prompting,
  notApplicable: needsHandshake,
  async drive(fixtures) {
    const call = await refusedForEver(fixtures)
    await call.accept()
    call.complete()
    await fixtures.observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/handle-required-error',
      'does not try again for ever',
      retriesSeldom,
    ),
  ],
})

const canRetry: Judge = (t) => {
  const call = callOf(t)
  const agreed = agreedIn(call)
  if (!agreed) return inconclusive('the user did not agree')
  const retry = call.attempts.find(({ event }) => isAfter(event, agreed))
  if (retry) return pass('the call was made again', cite(agreed, retry.event))
  const again = t.steps('again')[0]
  if (!again) return inconclusive('the user did not ask for the call again')
  const message = 'without a completion the user cannot have the call made again'
  return unanswered(t, call, again, message)
}

export const completeNever = scenario({
  id: 'complete-never',
  title: 'the server never says that the interaction is complete',
  control,
  needs: prompting,
  notApplicable: needsHandshake,
  async drive(fixtures) {
    const call = await promptedByError(fixtures)
    await call.accept()
    await call.retried()
    await call.finish()
  },
  checks: [
    check('mcp-url-elicitation/client/manual-retry', 'still makes the call again', canRetry),
  ],
})

/** A client that waits for completions, and can hear them: it need do neither. */
const waiting: Need = {
  what: 'a prompt for the error -32042, and a stream for completions',
  seen: (run) => prompting.seen(run) && listening.seen(run),
}

/** How many windows pass before others are completed: who tries again by the clock does so after the same time. */
const delays = { 'call-1': 1, 'call-2': 2 } as const

const ignoresOthers: Judge = (t) => {
  const calls = Object.keys(delays).map((name) => {
    const call = callOf(t, name)
    const steps = t.steps('complete', name)
    const own = call.askings[0]?.params['elicitationId']
    // Ids are those of one server (Elicitation, URL Mode Elicitation Requests).
    const isOwn = ({ detail }: (typeof steps)[number]): boolean =>
      detail['elicitationId'] === own && detail['by'] === undefined
    const others = steps.find((each) => !isOwn(each))
    const genuine = steps.find(isOwn)
    const agreed = agreedIn(call)
    const retry = agreed && call.attempts.find(({ event }) => isAfter(event, agreed))
    const hasty = retry && isAfter(retry.event, others) && !isAfter(retry.event, genuine)
    return { agreed, others, retry, hasty, ms: watchedAfter(t, others) }
  })
  const [first, second] = calls
  const evidence = cite(first?.others, first?.retry?.event, second?.others, second?.retry?.event)
  if (calls.some(({ agreed, others, ms }) => !agreed || !others || ms === undefined))
    return inconclusive('no other elicitation was completed while a call waited for its own')
  if (!calls.every(({ hasty }) => hasty))
    return pass('the call was not made again because of others', evidence)
  return violation(
    'the completion of an unknown elicitation had the call made again',
    { expected: 'it is ignored', actual: 'the call is made again' },
    evidence,
  )
}

export const errorCompleteUnknown = scenario({
  id: 'required-error-complete-unknown',
  title: 'after -32042 the server completes elicitations that there never were',
  control: 'required-error',
  needs: waiting,
  notApplicable: needsHandshake,
  async drive({ open, observe }) {
    const client = await open()
    for (const windows of Object.values(delays)) {
      const call = await client.begin()
      await call.ask({ byError: true })
      if ((await call.settled()) !== 'prompted') throw new NotOffered('nobody was asked')
      await call.accept()
      for (let passed = 0; passed < windows; passed += 1) await observe()
      if (!call.completeOthers()) throw new NotOffered('the client has no stream beside its calls')
      call.completeElsewhere()
      await observe()
      call.complete()
      await call.retried()
      await call.finish()
      // Its own completion may come late, and is none of the next call.
      await observe()
    }
  },
  checks: [
    check(
      'mcp-url-elicitation/client/ignore-unknown-complete',
      'does not try again for an unknown elicitation',
      ignoresOthers,
    ),
  ],
})
