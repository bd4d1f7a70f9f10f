/** Judgements that several scenarios share; each says `inconclusive` unless the transcript proves its reach. */

import {
  cite,
  inconclusive,
  isAfter,
  notApplicable,
  pass,
  show,
  violation,
  watched,
  type Check,
  type Evidence,
  type Judgement,
  type Recorded,
  type RequestEvent,
  type StepEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { textIn } from '../../wire/values.ts'
import { needsOpening } from './conditions.ts'
import type { Declared } from './configuration.ts'
import { agreedIn, callOf, callsOf, ownVisits, type Asking, type CallView } from './view.ts'

export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** Events before the user has agreed, or without that. */
function early<E extends { readonly t: number; readonly seq: number }>(
  events: readonly E[],
  call: CallView,
): E | undefined {
  const agreed = agreedIn(call)
  return events.find((event) => !isAfter(event, agreed))
}

/** How it is known that enough was seen: the user agreed, or somebody watched while they had not. */
function reachOf(t: Transcript, call: CallView): readonly Evidence[] | string {
  const asked = call.askings[0]?.frame.event
  if (!asked) return 'the client was not asked to open a URL'
  const agreed = agreedIn(call)
  if (agreed) return cite(asked, agreed)
  if (watched(t, asked) === undefined) return 'the run did not watch what happened next'
  return cite(asked)
}

export const opensAfterConsentIn =
  (name?: string): Judge =>
  (t, { declared }) => {
    const call = callOf(t, name)
    const opened = early(call.opened, call)
    if (opened) {
      return violation(
        'a URL was opened without the consent of the user',
        { expected: 'nothing is opened until the user agrees', actual: show(opened.detail['url']) },
        cite(call.askings[0]?.frame.event, opened),
      )
    }
    const reason = needsOpening(declared)
    if (reason !== undefined) return notApplicable(reason)
    const reach = reachOf(t, call)
    if (typeof reach === 'string') return inconclusive(reach)
    if (agreedIn(call) && call.opened.length === 0) return inconclusive('nothing was opened at all')
    return pass('nothing was opened before the user had agreed', [
      ...reach,
      ...cite(...call.opened.slice(0, 1)),
    ])
  }

export const opensAfterConsent = opensAfterConsentIn()

/** That the client does not ask for what stands behind the URL: that is for the browser of its user. */
export const fetchesNothing: Judge = (t, { declared }) => {
  const call = callOf(t)
  const [visit] = ownVisits(call, declared)
  if (visit) return fetched(visit, call)
  const reach = reachOf(t, call)
  if (typeof reach === 'string') return inconclusive(reach)
  return pass('the client fetched nothing', reach)
}

/** The same in every call of a whole run. */
export const fetchesNothingAtAll: Judge = (t, { declared }) => {
  const calls = everyCall(t)
  for (const call of calls) {
    const [visit] = ownVisits(call, declared)
    if (visit) return fetched(visit, call)
  }
  return passesIn(calls)
}

function fetched(visit: Recorded<RequestEvent>, call: CallView): Judgement {
  const agreed = agreedIn(call)
  return violation(
    isAfter(visit, agreed)
      ? 'the client itself asked the site of the URL, beside the browser of its user'
      : 'the site of the URL got a request before the user had agreed',
    { expected: 'no request of the client', actual: `${visit.method} ${visit.url}` },
    cite(call.askings[0]?.frame.event, agreed, visit),
  )
}

export const opensExactly: Judge = (t, { declared }) => {
  const call = callOf(t)
  const reason = needsOpening(declared)
  if (reason !== undefined) return notApplicable(reason)
  const [asking] = call.askings
  const [opened] = call.opened
  if (!asking || !opened) return inconclusive('nothing was opened')
  const url = textIn(asking.params['url'])
  const evidence = cite(asking.frame.event, opened)
  const { url: actual } = opened.detail
  if (actual === url) return pass('the URL was opened as it was given', evidence)
  return violation(
    'the opened URL differs from the one that the server gave',
    { expected: url, actual: textIn(actual) },
    evidence,
  )
}

/** An `accept` that nobody had agreed to, if there is one. */
export function unaskedAcceptance(call: CallView): Judgement | undefined {
  const accepted = call.replies.filter(({ action }) => action === 'accept')
  const hasty = accepted.find(({ event }) => !isAfter(event, agreedIn(call)))
  if (!hasty) return undefined
  return violation(
    'the client answered accept although its user had not agreed',
    { expected: 'no accept before the user agrees', actual: 'accept' },
    cite(call.askings[0]?.frame.event, hasty.event),
  )
}

/** That the client says `accept` when its user has agreed, and not before. */
export const acceptsAfterConsentIn =
  (name?: string): Judge =>
  (t) => {
    const call = callOf(t, name)
    const unasked = unaskedAcceptance(call)
    if (unasked) return unasked
    const reach = reachOf(t, call)
    if (typeof reach === 'string') return inconclusive(reach)
    if (!agreedIn(call)) return pass('it did not accept for its user', reach)
    const [reply] = call.replies
    if (!reply) return inconclusive('the client did not answer the elicitation')
    if (call.replies.some(({ action }) => action === 'accept'))
      return pass('it accepted when its user had', cite(reply.event))
    return violation(
      'the user agreed, but the client did not answer accept',
      { expected: 'accept', actual: show(reply.action ?? reply.error) },
      [...reach, ...cite(reply.event)],
    )
  }

export const acceptsAfterConsent = acceptsAfterConsentIn()

/** That a user who does not agree is answered for as they said, and that nothing is opened. */
export const answersFor =
  (action: 'decline' | 'cancel'): Judge =>
  (t) => {
    const call = callOf(t)
    const decision = call.decisions.find(({ detail }) => detail['action'] === action)
    if (!decision) return inconclusive('the user could not say so')
    const hasty = call.replies.find((each) => each.action === 'accept')
    const reply = hasty ?? call.replies.find(({ event }) => isAfter(event, decision))
    if (call.replies[0] && !reply) return inconclusive('it was answered before the user said so')
    if (reply?.action === action) return pass(`it answered ${action}`, cite(decision, reply.event))
    if (reply) {
      return violation(
        `the user chose ${action}, but the client answered something else`,
        { expected: action, actual: show(reply.action ?? reply.error) },
        cite(decision, reply.event),
      )
    }
    const [client] = t.steps('client')
    if (client?.detail['modern'] === true) {
      return watched(t, decision) === undefined
        ? inconclusive('the run did not watch what happened next')
        : pass('the call was not made again, which is up to the client', cite(decision))
    }
    return unanswered(t, call, decision, `the user chose ${action}, but the client did not answer`)
  }

/** Where nothing came although it was waited for. */
export function unanswered(
  t: Transcript,
  call: CallView,
  since: Recorded<StepEvent> | Asking['frame']['event'],
  message: string,
): Judgement {
  const waited = t.steps('gave-up', call.name).find((step) => isAfter(step, since))
  if (!waited) return inconclusive('the run did not wait for the answer')
  const actual = `nothing within ${String(waited.detail['within'])} ms`
  return violation(message, { expected: 'an answer', actual }, cite(since, waited))
}

/** That answers carry no content: a URL has no form that anybody filled in. */
export const sendsNoContent: Judge = (t) => {
  const replies = callsOf(t).flatMap((call) => call.replies)
  const accepted = replies.filter(({ action }) => action === 'accept')
  const filled = accepted.find(({ content }) => content !== undefined)
  if (filled) {
    return violation(
      'the answer to an elicitation in URL mode has content',
      { expected: 'no content', actual: show(filled.content) },
      cite(filled.event),
    )
  }
  const [first] = accepted
  if (!first) return inconclusive('no elicitation was accepted')
  return pass('no answer had content', cite(first.event))
}

/** That in no call of a whole run anything is opened before its user agrees. */
export const opensAfterConsentAlways: Judge = (t) => {
  const calls = everyCall(t)
  for (const call of calls) {
    const hasty = early(call.opened, call)
    if (hasty) {
      return violation(
        'a URL was opened before its user agreed',
        { expected: 'nothing until the user agrees', actual: show(hasty.detail['url']) },
        cite(hasty),
      )
    }
  }
  return passesIn(calls)
}

/** The calls of a whole run. */
function everyCall(t: Transcript): readonly CallView[] {
  const scenarios = [...new Set(t.events.map(({ scenario }) => scenario))]
  return scenarios.flatMap((scenario) => callsOf(t.of(scenario)))
}

function passesIn(calls: readonly CallView[]): Judgement {
  const agreed = calls.map(agreedIn).find((step) => step !== undefined)
  if (!agreed) return inconclusive('no user agreed to anything')
  return pass(`nothing of the kind in ${calls.length} calls`, cite(agreed))
}
