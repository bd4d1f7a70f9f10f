/** What checks ask of a transcript: calls of the tool, how they were answered, and what their challenges led to. */

import {
  cite,
  jsonOf,
  perTranscript,
  show,
  type Evidence,
  type Recorded,
  type RequestEvent,
  type ResponseEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import {
  clientFrames,
  isAnswer,
  isToolCall,
  serverFrames,
  type Answering,
  type Frame,
} from '../../wire/frames.ts'
import { membersOf, textIn } from '../../wire/values.ts'
import { bearersOf, challengeKey, parseChallenges, type Challenge } from '../challenges.ts'

/** The call without a token, and the one with a token, of the scenarios that make both. */
export const [challenged, retried] = ['call-1', 'call-2']

/** Marks a token that is sent where servers may log what comes. */
export const misplacedToken = 'misplaced-token'

/** Marks which users the run has had, in any scenario. */
export const usersOfTheRun = 'users-of-the-run'

/** One call of the tool, as it was tried last. */
export interface CallView {
  readonly name: string
  readonly request: Recorded<RequestEvent> | undefined
  /** How HTTP answered the request itself. */
  readonly http: Recorded<ResponseEvent> | undefined
  /** The message that answers it, wherever it came. */
  readonly reply: Frame<Answering> | undefined
  /** Its result, where there is one. */
  readonly result: Readonly<Record<string, unknown>> | undefined
  /** What stands at the key; `undefined` where the key is missing. */
  readonly challenge: { readonly value: unknown } | undefined
  /** What can be read of it. */
  readonly bearers: readonly Challenge[]
}

/** The call of that name. */
export function callOf(t: Transcript, name: string): CallView {
  return read(t, name)
}

const read = perTranscript(viewOf)

/** Every call, in the order in which they began. */
export function callsOf(t: Transcript): readonly CallView[] {
  return t.steps('begin').map(({ call = '' }) => callOf(t, call))
}

function viewOf(t: Transcript, name: string): CallView {
  const attempt = clientFrames(t, name).filter(isToolCall).at(-1)
  // What is sent is always recorded as a request.
  const request = attempt?.event as Recorded<RequestEvent> | undefined
  const answer = request && t.answer(request)
  const reply = serverFrames(t, name)
    .filter(isAnswer)
    .find(
      ({ message, connection }) =>
        message.id === attempt?.message.value['id'] && connection === attempt?.connection,
    )
  const result = reply?.message.kind === 'result' ? membersOf(reply.message.result) : undefined
  const meta = membersOf(result?.['_meta'])
  const challenge = Object.hasOwn(meta, challengeKey) ? { value: meta[challengeKey] } : undefined
  return {
    name,
    request,
    http: answer?.type === 'response' ? answer : undefined,
    reply,
    result,
    challenge,
    bearers: challenge ? bearersIn(challenge.value) : [],
  }
}

/** The strings at the key, whatever their number. */
export function stringsIn(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string')
}

/** The Bearer challenges that can be read. */
function bearersIn(value: unknown): readonly Challenge[] {
  return stringsIn(value).flatMap((each) => {
    const parsed = parseChallenges(each)
    return 'problem' in parsed ? [] : bearersOf(parsed.challenges)
  })
}

/** Those of HTTP 403, by which a token without a scope may be refused as well. */
export function bearersOfHttp({ http }: CallView): readonly Challenge[] {
  return http?.status === 403 ? bearersIn((http.headers['www-authenticate'] ?? '').split('\n')) : []
}

/** The scopes that the answer says the token of the call lacks. */
export function scopesLacking(call: CallView): readonly string[] {
  const challenges = [...call.bearers, ...bearersOfHttp(call)]
  return scopesOf(
    challenges.filter(({ parameters }) => parameters.get('error') === 'insufficient_scope'),
  )
}

/** Where the challenge of a call says that the metadata is. */
export function metadataUrlOf({ bearers }: CallView): string | undefined {
  return bearers
    .map(({ parameters }) => parameters.get('resource_metadata'))
    .find((url) => url !== undefined)
}

/** The scopes that challenges name. */
export function scopesOf(challenges: readonly Challenge[]): readonly string[] {
  return challenges.flatMap(({ parameters }) => {
    return (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  })
}

/** A document that was fetched, and how. */
export interface Fetched {
  readonly request: Recorded<RequestEvent>
  readonly answer: Recorded<ResponseEvent> | undefined
  readonly json: unknown
}

/** The metadata of the resource, to which the challenge of a call led. */
export function resourceMetadata(t: Transcript, name: string): Fetched | undefined {
  return fetchedFor(t, name)[0]
}

/** What was fetched of the authorization servers that the metadata names. */
export function serverMetadata(t: Transcript, name: string): readonly Fetched[] {
  return fetchedFor(t, name).slice(1)
}

function fetchedFor(t: Transcript, name: string): readonly Fetched[] {
  return t.requests('metadata', name).map((request) => {
    const answer = t.answer(request)
    const response = answer?.type === 'response' ? answer : undefined
    return { request, answer: response, json: jsonOf(response?.body) }
  })
}

/** What the metadata says; nothing where it is no object. */
export function membersOfMetadata({ json }: Fetched): Readonly<Record<string, unknown>> {
  return membersOf(json)
}

/** Where the server is: the endpoint, the provider's issuer, and which origins are one. */
export function surroundingsOf(t: Transcript) {
  const detail = t.steps('deployment')[0]?.detail ?? {}
  const origins = Object.entries(membersOf(detail['origins']))
  return {
    endpoint: textIn(detail['endpoint']),
    issuer: textIn(detail['issuer']),
    /** The origin under which this one is reached. */
    reached: (origin: string) => textIn(origins.find(([seen]) => seen === origin)?.[1]) || origin,
  }
}

/** The result of a call that was served: no error, and no challenge. */
export function servedResult(call: CallView): Readonly<Record<string, unknown>> | undefined {
  const { result, challenge } = call
  return result && result['isError'] !== true && !challenge && isComplete(result)
    ? result
    : undefined
}

/** Another kind of result asks for something first (2026-07-28). */
function isComplete({ resultType = 'complete' }: Readonly<Record<string, unknown>>): boolean {
  return resultType === 'complete'
}

/** The text of a result that people read. */
export function textOf(result: Readonly<Record<string, unknown>> | undefined): string {
  const { content } = result ?? {}
  if (!Array.isArray(content)) return ''
  return content.map((each) => textIn(membersOf(each)['text'])).join('\n')
}

/** The subject that a call was made for, where the harness has noted it. */
export function userOf(t: Transcript, name: string): string | undefined {
  return textIn(t.steps('signed-in', name).at(-1)?.detail['subject']) || undefined
}

/** Whether the result of a call that was served holds the subject of its user. */
export function namesItsUser(t: Transcript, name: string): boolean {
  const [subject, result] = [userOf(t, name), servedResult(callOf(t, name))]
  return subject !== undefined && result !== undefined && JSON.stringify(result).includes(subject)
}

/** How a call was answered, in a few words; `undefined` where it was not. */
export function describeAnswer(call: CallView): string | undefined {
  const { reply, result, http, challenge } = call
  if (result) {
    if (challenge) return 'a challenge in the result'
    const kind = result['isError'] === true ? 'an error result' : 'a result'
    return `${kind} without ${challengeKey}: ${show(textOf(result))}`
  }
  if (reply?.message.kind === 'error') {
    const { code, message } = reply.message
    return `error ${JSON.stringify(code)}: ${JSON.stringify(message)}`
  }
  return http && http.status >= 300 ? `HTTP ${http.status}` : undefined
}

/** Why a call says nothing about challenges, or what it was answered with. */
export function unchallenged(call: CallView): string | undefined {
  if (!call.request) return 'the tool was not called'
  if (call.challenge) return undefined
  const answer = describeAnswer(call)
  if (answer === undefined) return 'the call was not answered'
  const hint =
    call.http?.status === 401
      ? '; that is a challenge of HTTP and not of a result; where that depends on the caller, set target.headers'
      : ''
  const kind = call.request.headers['authorization'] === undefined ? 'without a' : 'with the'
  return `the call ${kind} token was not challenged but answered with ${answer}${hint}`
}

/** Points at the answer of a call. */
export function citeAnswer({ reply, http }: CallView): Evidence[] {
  return cite(reply?.event ?? http)
}
