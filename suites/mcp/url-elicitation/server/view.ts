/** What checks ask of a transcript in the protocol's terms: calls of the tool, what they asked for, how they ended. */

import {
  isAfter,
  perTranscript,
  type ProviderRecord,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { callbackWith } from '../../../oauth-client/arrival.ts'
import type { HandedCall } from '../../../oauth-client/handed-call.ts'
import { apiRequests, issuedGrant, served, tokenAccesses } from '../../../oauth-client/view.ts'
import { endingOf } from '../../server/tool-calls.ts'
import type { Message } from '../../wire/json-rpc.ts'
import { membersOf, textIn } from '../../wire/values.ts'
import {
  asksForInput,
  elicitationRequired,
  elicitationsIn,
  isUrlMode,
  type Elicitation,
} from '../elicitation.ts'
import {
  clientFrames,
  isAnswer,
  isToolCall,
  serverFrames,
  type Answering,
  type Frame,
} from '../../wire/frames.ts'

/** An elicitation, and the message that it came in. */
export interface Asking extends Elicitation {
  readonly frame: Frame
}

/** One call of the tool, with every time that it was tried again. */
export interface CallView extends HandedCall {
  readonly request: Recorded<RequestEvent> | undefined
  /** The connection that it was made on. */
  readonly connection: string
  /** The requests of it, the first one first. */
  readonly attempts: readonly Frame[]
  /** How these were answered, whether or not that ended the call. */
  readonly replies: readonly Frame<Answering>[]
  /** What the server asked for meanwhile, forms included. */
  readonly askings: readonly Asking[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

const read = perTranscript(viewOf)

function viewOf(t: Transcript, name: string): CallView {
  const begun = t.steps('begin', name)[0]
  const connection = textIn(begun?.detail['connection'])
  const attempts = lastOfEach(clientFrames(t, name).filter(isToolCall))
  const ids = attempts.map(({ message }) => message.value['id'])
  const received = serverFrames(t, name)
  const replies = received.filter(isAnswer).filter(({ message }) => ids.includes(message.id))
  const logins = loginsIn(t, name)
  const isOfFlow = ({ authorization }: Recorded<ProviderRecord>): boolean =>
    authorization === undefined || !logins.has(authorization)
  const askings = received.flatMap((frame) =>
    elicitationsIn(frame.message).map((each) => ({ ...each, frame })),
  )
  const grants = t.provider('grant', name).filter(isOfFlow)
  const last = lastOfCall({ attempts, replies, askings, grants })
  // What is sent is always recorded as a request.
  const request = attempts[0]?.event as Recorded<RequestEvent> | undefined
  const userId = begun && textIn(begun.detail['user'])
  return {
    name,
    user: userId,
    // By its token, a server knows whom it comes from.
    sentValues: { user: userId, subject: userId && `subject-of-${userId}` },
    arguments: membersOf(begun?.detail['arguments']),
    connection,
    attempts,
    replies,
    askings,
    request,
    ack: request && t.answer(request),
    asked: askings.filter(isUrlMode).map(({ frame, params }) => ({
      event: frame.event,
      url: params['url'],
    })),
    ended: replies.filter(({ message }) => isEnd(message, last)).map(endingOf),
    authorizationRequests: t.provider('authorization-request', name).filter(isOfFlow),
    grants,
    accesses: t.provider('resource-access', name),
    upstream: t.requests('provider', name),
  }
}

/** One that was sent once more, in a new session, is the same request. */
function lastOfEach(requests: readonly Frame[]): readonly Frame[] {
  return [...new Map(requests.map((each) => [each.message.value['id'], each])).values()]
}

/** Authorizations for nothing but to know who the user is, where the call has others (OpenID Connect Core §5.4). */
function loginsIn(t: Transcript, name: string): ReadonlySet<string> {
  const requests = t.provider('authorization-request', name)
  const logins = requests.filter(({ detail }) => isLoginScope(detail['scopes']))
  if (logins.length === requests.length) return new Set()
  return new Set(logins.flatMap(({ authorization = '' }) => authorization))
}

/** Whether an authorization is for nothing but to know who the user is (OpenID Connect Core §5.4). */
export function isLogin(t: Transcript, authorization: string | undefined): boolean {
  if (authorization === undefined) return false
  const request = t
    .provider('authorization-request')
    .find((each) => each.authorization === authorization)
  return isLoginScope(request?.detail['scopes'])
}

/** Whether these scopes say nothing about an API. */
function isLoginScope(scopes: unknown): boolean {
  const ofOpenId = ['openid', 'profile', 'email', 'offline_access']
  return (
    Array.isArray(scopes) &&
    scopes.includes('openid') &&
    scopes.every((scope) => ofOpenId.includes(String(scope)))
  )
}

/**
 * The error by which a connection was refused when it was to begin, as servers may that need what its client does not
 * declare (2025-11-25, Lifecycle, Error Handling).
 */
export function refusedHandshake(t: Transcript, connection: string): Frame | undefined {
  const isOf = (frame: Frame): boolean => frame.connection === connection
  const ids = clientFrames(t)
    .filter(isOf)
    .flatMap(({ message }) =>
      message.kind === 'request' && message.method === 'initialize' ? [message.id, null] : [],
    )
  return serverFrames(t)
    .filter(isOf)
    .find(({ message }) => message.kind === 'error' && ids.some((id) => id === message.id))
}

/** Every call of the transcript, in the order in which they began. */
export function callsOf(t: Transcript): CallView[] {
  return t.steps('begin').map(({ call }) => callOf(t, call))
}

/**
 * The id of the request whose answer is that of the call: the latest. Where a token had been issued when the one before was
 * answered, and the user is asked once more all the same, that is another matter, and the answer before it counts.
 */
function lastOfCall({
  attempts,
  replies,
  askings,
  grants,
}: Pick<CallView, 'attempts' | 'replies' | 'askings' | 'grants'>): unknown {
  const grant = issuedGrant({ grants })
  const askedAnew = replies.find(
    ({ event, message }) =>
      isAfter(event, grant) &&
      !asksToRetry(message) &&
      askings.some(({ frame }) => isAfter(frame.event, event)),
  )
  return (askedAnew ?? attempts.at(-1))?.message.value['id']
}

/** Whether a call ended so: it was not to be tried again, and nobody did. */
function isEnd(message: Answering, latest: unknown): boolean {
  return !asksToRetry(message) && message.id === latest
}

/** Whether a call was answered in a way that has its client try again. */
function asksToRetry(message: Message): boolean {
  return (
    (message.kind === 'error' && message.code === elicitationRequired) ||
    (message.kind === 'result' && asksForInput(message.result))
  )
}

/**
 * Whether the call ended before what its user did could have been used: a server may have its client call again, in any
 * words, rather than have a call wait. It ended before the error came back or the code was redeemed, where only an error may
 * mean that this was given up, or in a result for which the token that there was by then went unused. Who was called again
 * and asks its user anew has nothing to use.
 */
export function endedUnserved(call: CallView, t: Transcript): boolean {
  const [end] = call.ended
  const back = callbackWith(t, call.name, 'code') ?? callbackWith(t, call.name, 'error')
  if (!end || !back || !wasAgreed(call, t)) return false
  if (
    call.askings.some(({ frame: { event } }) => isAfter(event, end.event) && isAfter(event, back))
  )
    return false
  const released = t.steps('release', call.name)[0]
  const grant = issuedGrant(call)
  // What was held back until the call had ended came too late for it.
  if (grant === undefined || isAfter(grant, released)) {
    const [attempt] = call.grants
    const early = attempt && !isAfter(attempt, released) && isAfter(attempt, end.event)
    return !isAfter(end.event, back) || (early === true && !end.error)
  }
  if (!isAfter(end.event, isAfter(grant, back) ? grant : back)) return true
  return !end.error && !apiRequests(call).some((each) => isAfter(each, grant))
}

/** Whether anything was served with a token since a call was made. */
export function servedSince({ request }: CallView, t: Transcript): boolean {
  return callsOf(t)
    .flatMap(tokenAccesses)
    .some((access) => served(access) && isAfter(access, request))
}

/** Whether a call ended without asking, and nothing came for a while after that, when it could still have asked. */
export function stayedUnasked(t: Transcript, name: string): boolean {
  return t.steps('not-asked', name).length > 0
}

/** Whether the server asked by a request, and was told that its user agrees, whether or not the call waited for that. */
function wasAgreed({ name, askings }: CallView, t: Transcript): boolean {
  return (
    askings.some((each) => each.how === 'request' && isUrlMode(each)) &&
    t.requests('mcp', name).some(({ body }) => body?.text.includes('"action":"accept"') === true)
  )
}

/** The latest reply, where it has the client try again and that was not done yet. */
export function retryDue({ attempts, replies }: CallView): Frame<Answering> | undefined {
  const last = attempts.at(-1)?.message.value['id']
  return replies.find(({ message }) => message.id === last && asksToRetry(message))
}
