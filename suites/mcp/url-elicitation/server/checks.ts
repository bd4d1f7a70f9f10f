/** Judgements that several scenarios share; each says `inconclusive` unless the transcript proves its reach. */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  notApplicable,
  pass,
  show,
  violation,
  watched,
  type Check,
  type Evidence,
  type Recorded,
  type RecordedEvent,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Ended } from '../../../oauth-client/handed-call.ts'
import { readsAsServed } from '../../../oauth-client/made-up.ts'
import { issuedGrant, mayHaveTimedOut, served, tokenAccesses } from '../../../oauth-client/view.ts'
import { servedEndOf } from '../../server/token-demand.ts'
import { serverFrames } from '../../wire/frames.ts'
import { bringsUrl, completes } from '../elicitation.ts'
import type { Declared } from './configuration.ts'
import { needsHandshake, needsOauthClient } from './conditions.ts'
import { callOf, callsOf, isLogin, type Asking, type CallView } from './view.ts'

export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** Judges only what revisions up to 2025-11-25 have. */
export function unlessModern(judge: Judge): Judge {
  return (t, context) => {
    const reason = needsHandshake(context.declared)
    return reason === undefined ? judge(t, context) : notApplicable(reason)
  }
}

/** A check that is only made of OAuth clients. */
export function ofClients({ judge, ...rest }: Check<Declared>): Check<Declared> {
  return {
    ...rest,
    judge(t, context) {
      const reason = needsOauthClient(context.declared)
      return reason === undefined ? judge(t, context) : notApplicable(reason)
    },
  }
}

/** Evidence for elicitations. */
export function citeAskings(...askings: readonly Asking[]): Evidence[] {
  return cite(...askings.map(({ frame }) => frame.event))
}

/** Elicitations that bring a URL, of every call. */
export function urlAskings(t: Transcript): { readonly call: CallView; readonly asking: Asking }[] {
  return callsOf(t).flatMap((call) =>
    call.askings.filter(bringsUrl).map((asking) => ({ call, asking })),
  )
}

/** An end that is like that of a call which was served: the same form, where words would be another. */
function resembles(ended: Ended, twin: Ended): boolean {
  if (ended.error || twin.error) return false
  const [form, twinForm] = [formOf(ended.text), formOf(twin.text)]
  if (form === 'words') return ended.text === twin.text
  if (form !== twinForm) return false
  // Results of one form for all cases, as typed ones are, say by their values how it went.
  return form === 'list' || !holdsData(twin.text) || readsAsServed(ended.text, twin.text)
}

/** Whether an object has lists or objects, and not only texts and numbers that may say anything. */
function holdsData(text: string): boolean {
  return Object.values(JSON.parse(text) as object).some((each) => typeof each === 'object' && each)
}

/** A list, an object with these members, or words. */
function formOf(text: string): string {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value !== 'object' || value === null) return 'words'
    return Array.isArray(value) ? 'list' : Object.keys(value).sort().join()
  } catch {
    return 'words'
  }
}

/** The first end of a call that was served with a token: a server may also ask for another call once it has one. */
export function servedEnd(t: Transcript): Ended | undefined {
  return servedEndOf(callsOf(t))
}

/**
 * That the client agreed was not taken for the end of the interaction. `occasion` is the proof that it agreed and
 * that the interaction did not end well.
 */
export function notDoneByAccepting(
  occasion: (call: CallView, t: Transcript) => readonly Evidence[] | string,
): Judge {
  return (t, context) => {
    const call = callOf(t)
    const reached = occasion(call, t)
    if (typeof reached === 'string') return inconclusive(reached)
    const twin = context.control && servedEnd(context.control)
    if (!twin)
      return inconclusive('no call was served in the control, so there is nothing to compare with')
    if (tokenAccesses(call).some(served)) return inconclusive('it was authorized anyway')
    const done = call.ended.find((ended) => resembles(ended, twin))
    if (done) {
      return violation(
        'the call ended with a normal result although nobody had authorized anything',
        { expected: 'no result, or one that says that it failed', actual: show(done.text) },
        [...reached, ...cite(done.event)],
      )
    }
    const [ended] = call.ended
    if (ended)
      return pass('the call ended without being served', [...reached, ...cite(ended.event)])
    const ms = watched(t)
    if (ms === undefined) return inconclusive('the run did not watch what happened next')
    return pass(`nothing happened within ${ms} ms`, reached)
  }
}

/** What the harness sent for a call that says one of these actions, to a request or with a retry. */
export function answeredWith(
  t: Transcript,
  name: string,
  action: string,
): Recorded<RequestEvent> | undefined {
  const said = action === 'error' ? '"error":' : `"action":"${action}"`
  return t
    .requests('mcp', name)
    .find((request) => request.body?.text.includes(said) === true && arrived(t, request))
}

/** Whether what was sent got as far as the server, as far as the transport tells. */
function arrived(t: Transcript, request: Recorded<RequestEvent>): boolean {
  if (request.method === 'STDIN') return true
  const answer = t.answer(request)
  return answer === undefined || (answer.type === 'response' && answer.status < 400)
}

/** A call that was refused before anybody opened the URL ends, and nothing is redeemed for it. */
export function endsAfterRefusal(action: string, name = 'call-1'): Judge {
  return (t, { timing, declared }) => {
    const call = callOf(t, name)
    const refusal = answeredWith(t, name, action)
    if (!refusal) return inconclusive(`the server was not answered with ${action}`)
    const redeemed = call.grants[0]
    if (redeemed) {
      return violation(
        `the server sent a token request although the user answered with ${action}`,
        { expected: 'no token request', actual: show(redeemed.detail['grantType']) },
        cite(refusal, redeemed),
      )
    }
    const anew = call.askings.filter(({ frame }) => isAfter(frame.event, refusal))
    if (anew.length > mostQuestions) {
      return violation(
        `the user is asked again and again, although the answer is always ${action}`,
        { expected: 'an end', actual: `${anew.length} further questions in the same call` },
        [...cite(refusal), ...citeAskings(anew[0]!, anew.at(-1)!)],
      )
    }
    const ended = call.ended.find(({ event }) => isAfter(event, refusal))
    if (ended && timedOut(call, refusal, ended, declared)) {
      return violation(
        `the call ended only when its pending timeout was over, not because of ${action}`,
        {
          expected: 'an end as soon as the user has refused',
          actual: `an end after the declared pendingTimeout of ${declared.pendingTimeoutMs} ms`,
        },
        cite(refusal, ended.event),
      )
    }
    if (ended && mayHaveTimedOut(call, ended.event, declared.pendingTimeoutMs))
      return inconclusive('the pending timeout may have ended it', cite(refusal, ended.event))
    if (ended) return pass('the call ended', cite(refusal, ended.event))
    const [early] = call.ended
    if (early && watched(t, refusal) !== undefined)
      return pass('the call had not waited for it', cite(early.event, refusal))
    const [again] = anew
    if (again) return pass('the user is asked again', [...cite(refusal), ...citeAskings(again)])
    const waited = gaveUpAfter(t, name)
    if (waited === undefined || waited < timing.maxWaitMs - timerSlack)
      return inconclusive('the run did not wait for the end of the call')
    return violation(
      `the call stays pending after the user answered with ${action}`,
      { expected: 'a result or an error', actual: `nothing within ${waited} ms` },
      cite(refusal),
    )
  }
}

/** Times that a call may ask its user anew who refuses every time; whoever asks more often takes no refusal. */
const mostQuestions = 10

/** Milliseconds by which a timer may be early, and what was spent before it was started. */
const timerSlack = 500

/** Whether the pending timeout was over when a call ended, and nothing had happened for most of it. */
function timedOut(
  call: CallView,
  refusal: Recorded<RequestEvent>,
  { event }: Ended,
  { pendingTimeoutMs }: Declared,
): boolean {
  return (
    mayHaveTimedOut(call, event, pendingTimeoutMs) &&
    event.t - refusal.t > (pendingTimeoutMs ?? Infinity) / 2
  )
}

/** Notifications that an elicitation of a call is complete. */
function toldOf({ askings }: CallView, t: Transcript): RecordedEvent[] {
  const ids = askings.map(({ params }) => params['elicitationId'])
  return serverFrames(t)
    .filter(({ message }) => completes(message, ids))
    .map(({ event }) => event)
}

/** What a call was granted, without what only says who its user is where a call that was served shows that there is more. */
export function grantsBeyondLogin(
  { grants }: CallView,
  t: Transcript,
  twin: Transcript | undefined,
): CallView['grants'] {
  const asksForMore =
    twin && callOf(twin).grants.some(({ authorization }) => !isLogin(twin, authorization))
  return asksForMore ? grants.filter(({ authorization }) => !isLogin(t, authorization)) : grants
}

/** What a stranger did with the link of a call must not serve its initiator: neither this call nor a later one. */
export function bindsNothing(opened: (t: Transcript) => RecordedEvent | undefined): Judge {
  return (t, { control: twin }) => {
    const visit = opened(t)
    if (!visit) return inconclusive('nobody else opened the URL')
    const call = callOf(t)
    const later = callOf(t, 'call-2')
    const used = tokenAccesses(call).find((access) => isAfter(access, visit))
    if (used) {
      return violation(
        "another user's authorization was used for the user who had been asked",
        {
          expected: 'nothing of it is used for the initiator',
          actual: show(used.detail['subject']),
        },
        cite(visit, used),
      )
    }
    const told = toldOf(call, t).find((event) => isAfter(event, visit))
    const redeemed = issuedGrant({ grants: grantsBeyondLogin(call, t, twin) })
    if (told && redeemed && isAfter(told, redeemed)) {
      return violation(
        'the user who had been asked was told that the elicitation is complete, but another user had authorized it',
        {
          expected: 'nothing that the initiator is told of',
          actual: 'a notification of completion',
        },
        cite(visit, redeemed, told),
      )
    }
    const answer = later.ended[0]?.event ?? later.askings[0]?.frame.event
    if (!answer) return inconclusive('the initiator’s next call was not answered')
    return pass('nothing of it was used for the initiator', cite(visit, answer))
  }
}
