/** Judgements about what the client returns of what the browser brought. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  withDecodedSecrets,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { textIn } from '../../wire/values.ts'
import type { Judge } from './scenarios/define.ts'
import { agreedIn, callOf, callsOf, type CallView } from './view.ts'

/** Whether the client got it, and hung up on the browser, perhaps. */
function hungUp(t: Transcript, callback: Recorded<RequestEvent>): boolean {
  const answer = t.answer(callback)
  return answer?.type === 'failure' && !['ECONNREFUSED', 'timeout'].includes(answer.code)
}

/** Whether somebody listened for it, and answered or hung up. */
function isTaken(t: Transcript, callback: Recorded<RequestEvent>): boolean {
  return t.answer(callback)?.type === 'response' || hungUp(t, callback)
}

function whyNotTaken(t: Transcript, { callbacks }: CallView): string {
  const answers = callbacks.map((each) => t.answer(each))
  const isSilent = answers.some((each) => each?.type === 'failure' && each.code === 'timeout')
  return isSilent
    ? 'the listener did not answer the callback in time'
    : 'nobody listened for the callback'
}

/** The callback that the client was to return: what the browser brought last, where the client took it. */
function genuine(t: Transcript, call: CallView): Recorded<RequestEvent> | undefined {
  const last = call.callbacks.at(-1)
  if (!last || t.answer(last)?.type === 'response') return last
  // Who hangs up on the browser may have taken it all the same: then it is returned.
  const said = call.replies.some(({ event, url }) => textIn(url) && isAfter(event, last))
  return hungUp(t, last) && said ? last : undefined
}

/** Where a URL is, and its parameters, decoded, in the order of their names. */
function contentOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url]
  const { origin, pathname, searchParams } = new URL(withDecodedSecrets(url))
  const parameters = [...searchParams].map(([name, value]) => `${name}=${value}`)
  return [origin + pathname, ...parameters.toSorted()]
}

const isSame = (one: string, other: string): boolean =>
  show(contentOf(one)) === show(contentOf(other))

/** That the callback is returned; `compare` says what of it has to be the same, `other` names what is not. */
const returns =
  (other: string, compare: (url: string) => unknown, name?: string): Judge =>
  (t) => {
    const call = callOf(t, name)
    const came = genuine(t, call)
    if (!came) return inconclusive('the client did not take what the browser brought')
    const [reply] = call.replies
    const gaveUp = t.steps('gave-up', call.name).find((step) => isAfter(step, came))
    if (!reply && !gaveUp) return inconclusive('the run did not wait for the answer')
    if (reply && !isAfter(reply.event, came))
      return inconclusive('the client had answered before', cite(reply.event))
    const actual = textIn(reply?.url)
    const evidence = cite(came, reply?.event ?? gaveUp)
    if (reply && show(compare(actual)) === show(compare(came.url)))
      return pass('as it came', evidence)
    const what =
      actual === '' ? 'no callback is returned' : `the callback is returned with ${other}`
    return violation(what, { expected: came.url, actual: answerIn(reply) }, evidence)
  }

function answerIn(reply: CallView['replies'][number] | undefined): string {
  if (!reply) return 'no answer'
  if (reply.error !== undefined) return `error ${show(reply.error)}`
  return reply.url === undefined ? 'a result without url, as after a decline' : show(reply.url)
}

export const returnsAllOf = (name?: string): Judge =>
  returns('another place or other parameters', contentOf, name)
export const returnsAll = returnsAllOf()

/** Where the content differs already, that is for another check. */
export const returnsBytes: Judge = (t, context) => {
  const judgement = returnsAll(t, context)
  if (judgement.outcome === 'violation')
    return inconclusive('the content differs already', judgement.evidence)
  return returns('other escapes', (url) => url)(t, context)
}

/** That nothing but the genuine callback is returned, which comes last; who ends the flow before it returns nothing. */
export const returnsGenuineOf =
  (name?: string): Judge =>
  (t) => {
    const call = callOf(t, name)
    const strays = call.callbacks.slice(0, -1)
    const [reply] = call.replies
    const reached = strays.filter((each) => isTaken(t, each))
    if (reached.length === 0) return inconclusive('nothing but the callback reached the listener')
    const elsewhere = callsOf(t)
      .filter((other) => other.name !== call.name)
      .flatMap(({ replies }) => replies)
      .find(({ url }) => reached.some((each) => isSame(each.url, textIn(url))))
    if (elsewhere) {
      return violation(
        'what is not the callback was returned to another server',
        { expected: 'the genuine callback', actual: textIn(elsewhere.url) },
        cite(...reached, elsewhere.event),
      )
    }
    const early = reply && call.callbacks.at(-1) && !isAfter(reply.event, call.callbacks.at(-1))
    if (reply && early && typeof reply.url === 'string') {
      return violation(
        'what is not the callback was returned to the server',
        { expected: 'the listener goes on listening', actual: reply.url },
        cite(...reached, reply.event),
      )
    }
    if (reply && early)
      return pass(
        'the flow was ended at a stray callback, and nothing returned',
        cite(...reached, reply.event),
      )
    if (!reply) return inconclusive('the genuine callback was not returned', cite(...reached))
    const wrong = reached.find((each) => isSame(each.url, textIn(reply.url)))
    if (wrong) {
      return violation(
        'what is not the callback was returned to the server',
        { expected: 'the genuine callback', actual: textIn(reply.url) },
        cite(wrong, reply.event),
      )
    }
    return pass('only the callback was returned', cite(...reached, reply.event))
  }

export const returnsGenuine = returnsGenuineOf()

/** That a user who declines is answered for by a result without url. */
export const declinesEmpty: Judge = (t) => {
  const call = callOf(t)
  const decision = call.decisions.find(({ detail }) => detail['action'] === 'decline')
  if (!decision) return inconclusive('the user could not say so')
  const [reply] = call.replies
  const waited = t.steps('gave-up', call.name).find((step) => isAfter(step, decision))
  if (!reply && !waited) return inconclusive('the run did not wait for the answer')
  if (reply && !isAfter(reply.event, decision))
    return inconclusive('it was answered before the user said so', cite(reply.event))
  if (reply && reply.error === undefined && reply.url === undefined)
    return pass('the result has no url', cite(decision, reply.event))
  return violation(
    'the user declined, and the client did not answer with an empty result',
    {
      expected: '{}',
      actual: reply ? show(reply.url ?? { error: reply.error }) : 'no answer',
    },
    cite(decision, reply?.event ?? waited),
  )
}

/** Who listens at the port of the redirect, as it was found. */
const probed = (t: Transcript, where: string) =>
  t.steps('probe').filter(({ detail }) => detail['where'] === where)

const isOpen = (detail: Readonly<Record<string, unknown>>): boolean => isFound('open', detail)

function isFound(state: string, { found }: Readonly<Record<string, unknown>>): boolean {
  return Object.values(Object(found) as object).includes(state)
}

export const closesListenerOf =
  (name?: string): Judge =>
  (t) => {
    const call = callOf(t, name)
    const [reply] = call.replies
    if (!reply || !agreedIn(call)) return inconclusive('no callback was returned')
    // Who hangs up on the browser has listened.
    const listened = call.callbacks.some((each) => isTaken(t, each))
    return listened ? isClosed(t, reply) : inconclusive(whyNotTaken(t, call))
  }

export const closesListener = closesListenerOf()

/** A client may have begun to listen before its user has declined. */
export const listensNoMore: Judge = (t) => {
  const call = callOf(t)
  const decision = call.decisions.find(({ detail }) => detail['action'] === 'decline')
  const [reply] = call.replies
  if (!decision || !reply || !isAfter(reply.event, decision))
    return inconclusive('no decline was answered for')
  return isClosed(t, reply)
}

function isClosed(t: Transcript, { event }: CallView['replies'][number]): ReturnType<Judge> {
  const [last] = probed(t, 'afterwards')
  if (!last) return inconclusive('nobody looked afterwards')
  // Who listens and takes nobody in does not answer; a port at which nobody listens refuses.
  if (!isOpen(last.detail) && isFound('silent', last.detail))
    return inconclusive('the port neither answers nor refuses', cite(event, last))
  if (!isOpen(last.detail)) return pass('nobody listens any more', cite(event, last))
  return violation(
    'the listener for the callback is still open',
    { expected: 'a closed port', actual: `port ${show(last.detail['port'])} is open` },
    cite(event, last),
  )
}

export const listensOnLoopback: Judge = (t) => {
  const here = probed(t, 'itself').find(({ detail }) => isOpen(detail))
  const others = probed(t, 'others')[0]
  if (!here) return inconclusive('nobody listened for the callback while it was awaited')
  const found = Object.entries(Object(others?.detail['found']) as object)
  if (!others || found.length === 0) return inconclusive('this machine has no other address')
  const open = found.filter(([, state]) => state === 'open').map(([host]) => host)
  if (open.length === 0) return pass(`${found.length} other addresses`, cite(here, others))
  return violation(
    'the listener can be reached at other addresses than 127.0.0.1',
    { expected: '127.0.0.1 alone', actual: open.join(', ') },
    cite(here, others),
  )
}
