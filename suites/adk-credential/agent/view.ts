/** What checks ask of a transcript in the protocol's terms: calls of the tool, what they asked for, how they ended. */

import {
  jsonOf,
  perTranscript,
  type Recorded,
  type RequestEvent,
  type ResponseEvent,
  type StepEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { Ended, HandedCall } from '../../oauth-client/handed-call.ts'
import {
  authUriOf,
  eventsIn,
  failureIn,
  fieldsOf,
  functionsIn,
  member,
  requestName,
  requestsIn,
  textIn,
  type CredentialRequest,
  type Fields,
  type ToolPart,
} from '../wire.ts'

/** An event of the agent, in the answer that brought it. */
export interface AgentEvent {
  readonly event: Recorded<ResponseEvent>
  readonly fields: Fields
}

/** What an event holds, with the answer that it came in. */
export type In<T> = T & { readonly event: Recorded<ResponseEvent> }

/** One call of the tool, from the user's message to the result under its id. */
export interface CallView extends HandedCall {
  readonly session: string
  /** Messages of the client application that belong to it, the user's words first. */
  readonly messages: readonly Recorded<RequestEvent>[]
  readonly events: readonly AgentEvent[]
  readonly calls: readonly In<ToolPart>[]
  readonly requests: readonly In<CredentialRequest>[]
  /** Results of tools, each with whether it only stands in for one that is still awaited. */
  readonly results: readonly In<ToolPart & { readonly placeholder: boolean }>[]
  /** What the model was asked, in the order in which it was. */
  readonly modelAsked: readonly Recorded<StepEvent>[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

/** Every call of the transcript, in the order in which they began. */
export function callsOf(t: Transcript): CallView[] {
  return t.steps('begin').map(({ call }) => callOf(t, call))
}

const read = perTranscript(viewOf)

function viewOf(t: Transcript, name: string): CallView {
  const begun = t.steps('begin', name)[0]
  const tool = textIn(begun?.detail['tool'])
  const messages = t.requests('api', name)
  const events = messages.flatMap((message) => eventsOf(t, message))
  const calls = inEvents(events, (fields) => functionsIn(fields, 'functionCall')).filter(isOfTool)
  const requests = inEvents(events, requestsIn)
  const results = withPlaceholders(
    inEvents(events, (fields) => functionsIn(fields, 'functionResponse')).filter(isOfTool),
    requests,
    (paused, { id, name: named }) =>
      paused === id || (named === tool && !calls.some((call) => call.id === paused)),
  )
  const own = calls.filter((call) => call.name === tool).map(({ id }) => id)
  // Where no event has the call, its result is known by the name of the tool.
  const isOwn = (part: ToolPart): boolean =>
    own.length > 0 ? own.includes(part.id) : part.name === tool
  const request = messages[0]
  const session = textIn(begun?.detail['session']) ?? ''
  const user = textIn(begun?.detail['user'])
  return {
    name,
    user,
    session,
    sentValues: { user, session, reference: textIn(begun?.detail['reference']) },
    arguments: fieldsOf(begun?.detail['arguments']),
    request,
    ack: request && t.answer(request),
    messages,
    events,
    calls,
    requests,
    results,
    modelAsked: t.steps('model-asked', name),
    asked: requests.map((asked) => ({ event: asked.event, url: urlOf(t, name, asked) })),
    ended: results.filter((result) => isOwn(result) && !result.placeholder).map(endingOf),
    authorizationRequests: t.provider('authorization-request', name),
    grants: t.provider('grant', name),
    accesses: t.provider('resource-access', name),
    upstream: t.requests('provider', name),
  }
}

/** The events in the answer to a message. */
function eventsOf(t: Transcript, message: Recorded<RequestEvent>): AgentEvent[] {
  const event = t.answer(message)
  if (message.method !== 'POST' || event?.type !== 'response' || event.status >= 400) return []
  return eventsIn(event.body).map((fields) => ({ event, fields }))
}

/** What an exchange with an adapter is recorded at: the name of its command follows. */
export const adapterScheme = 'adapter:'

/** How the agent refused or failed to take a turn: by a status, or by an error in a stream of status 200. */
export function failureOf(answer: Recorded<ResponseEvent>): string | undefined {
  if (answer.status >= 400) return `HTTP ${answer.status}`
  const error = failureIn(eventsIn(answer.body))
  return error && `HTTP ${answer.status}, and in it ${error}`
}

function inEvents<T>(events: readonly AgentEvent[], find: (fields: Fields) => T[]): In<T>[] {
  return events.flatMap(({ event, fields }) => find(fields).map((each) => ({ ...each, event })))
}

function isOfTool({ name }: ToolPart): boolean {
  return name !== requestName
}

/**
 * A result that comes with the request for what it lacks only stands in for the real one; so does one that says the same
 * beside it, and each that says the same for such a call later.
 */
function withPlaceholders(
  results: readonly In<ToolPart>[],
  requests: readonly In<CredentialRequest>[],
  isWaitedFor: (paused: string | undefined, result: ToolPart) => boolean,
): CallView['results'] {
  const isRequested = (result: In<ToolPart>): boolean =>
    requests.some(
      ({ paused, event }) => event.seq === result.event.seq && isWaitedFor(paused, result),
    )
  const inAnswer = ({ event, value }: In<ToolPart>): string =>
    `${event.seq} ${JSON.stringify(value)}`
  const ofCall = ({ id, value }: In<ToolPart>): string => `${id} ${JSON.stringify(value)}`
  const standIns = new Set(results.filter(isRequested).map(inAnswer))
  const known = new Set(results.filter((each) => standIns.has(inAnswer(each))).map(ofCall))
  return results.map((result) => ({ ...result, placeholder: known.has(ofCall(result)) }))
}

/** The URL that a request brought, or, in the dialect of responses, that was made for it. */
function urlOf(t: Transcript, name: string, request: In<CredentialRequest>): unknown {
  const own = authUriOf(request)
  if (request.dialect === 'call') return own
  const begun = t.requests('consent', name).find(({ seq }) => seq > request.event.seq)
  const answer = begun && t.answer(begun)
  if (answer?.type !== 'response') return own
  return member(fieldsOf(jsonOf(answer.body)), 'authUri') ?? own
}

/** Whether a value has anything in it but names: `{"result": null}` has nothing. */
function saysAnything(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) || Object.values(value).some(saysAnything)
  }
  return value !== null && value !== ''
}

function endingOf({ event, value }: In<ToolPart>): Ended {
  const error =
    Boolean(value['error']) ||
    member(value, 'isError') === true ||
    /^(error|failed)$/i.test(String(value['status']))
  return { event, text: saysAnything(value) ? JSON.stringify(value) : '', error }
}
