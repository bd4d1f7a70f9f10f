/** What checks ask of a transcript: calls of the tool, how they were challenged, which flows and retries followed. */

import {
  isAfter,
  pathOf,
  perTranscript,
  type Recorded,
  type RequestEvent,
  type Sighting,
  type StepEvent,
  type SurfaceEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { HandedCall } from '../../../oauth-client/handed-call.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { clientFrames, isToolCall, serverFrames, type Frame } from '../../wire/frames.ts'
import { sentChannel } from '../../wire/link.ts'
import { membersOf, textIn } from '../../wire/values.ts'
import { challengeKey } from '../challenges.ts'
import { metadataChannel } from './vocabulary.ts'

/** One `tools/call`. */
export interface Attempt {
  readonly event: Recorded<RequestEvent>
  readonly params: Readonly<Record<string, unknown>>
  /** Whether it had a token that was issued. */
  readonly authorized: boolean
}

/** One call of the tool by the user, with every time that the client made it. */
export interface CallView extends HandedCall {
  readonly begun: Recorded<StepEvent> | undefined
  /** The first one first. */
  readonly attempts: readonly Attempt[]
  /** Results with the key. */
  readonly challenges: readonly Frame[]
  /** Results without it. */
  readonly served: readonly Frame[]
  /** What was opened for the user. */
  readonly opened: readonly Recorded<StepEvent>[]
  /** What the user was shown meanwhile. */
  readonly shown: readonly Recorded<SurfaceEvent>[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

const read = perTranscript((t: Transcript, name: string): CallView => {
  const [begun] = t.steps('begin', name)
  const attempts = clientFrames(t, name).filter(isToolCall).map(attemptOf)
  const results = serverFrames(t, name).filter(({ message }) => message.kind === 'result')
  const challenges = results.filter(isChallenge)
  const served = results.filter((frame) => !isChallenge(frame) && isToolResult(frame))
  const opened = t.steps('opened', name)
  const [first] = attempts
  return {
    name,
    user: begun && textIn(begun.detail['user']),
    sentValues: {},
    arguments: membersOf(begun?.detail['arguments']),
    begun,
    attempts,
    challenges,
    served,
    opened,
    shown: t.surfaces().filter(({ call }) => call === name),
    request: first?.event,
    ack: first && t.answer(first.event),
    asked: opened.map((event) => ({ event, url: event.detail['url'] })),
    ended: served.map(({ event, message }) => ({
      event,
      text: JSON.stringify(membersOf(message.value['result'])['content'] ?? null),
      error: false,
    })),
    authorizationRequests: t.provider('authorization-request', name),
    grants: t.provider('grant', name),
    accesses: t.provider('resource-access', name),
    // The protected API is the endpoint itself.
    upstream: [...t.requests('provider', name), ...withUnknownToken(t, name)],
  }
})

/** Every call of the transcript, in the order in which they began. */
export function callsOf(t: Transcript): CallView[] {
  return [...new Set(t.steps('begin').map(({ call }) => call))].map((call) => callOf(t, call))
}

/** Where everything was, of the first client. */
export function placesOf(t: Transcript) {
  const detail = t.steps('client')[0]?.detail ?? {}
  const [first = '', second = ''] = Array.isArray(detail['servers'])
    ? detail['servers'].map(textIn)
    : []
  return { servers: [first, second] as const, trap: textIn(detail['trap']) }
}

/** The first sign of a flow after an event: a page is opened, or the provider is asked. */
export function flowAfter({ opened, authorizationRequests }: CallView, since: Moment | undefined) {
  return [...opened, ...authorizationRequests]
    .filter((event) => isAfter(event, since))
    .toSorted((a, b) => a.seq - b.seq)[0]
}

/** Of events that are compared. */
type Moment = Parameters<typeof isAfter>[0]

/** The metadata of a resource that was asked for. */
export function metadataRequests(t: Transcript): Recorded<RequestEvent>[] {
  return t
    .requests(metadataChannel)
    .filter(({ url }) => pathOf(url).startsWith('/.well-known/oauth-protected-resource'))
}

/** Requests of the endpoint with what no provider has issued in place of a token. */
function withUnknownToken(t: Transcript, name: string): Recorded<RequestEvent>[] {
  return t
    .requests(sentChannel, name)
    .filter(({ headers, secrets = [] }) => 'authorization' in headers && !secrets.some(isToken))
}

/** Calls of the tool with a token that was issued after an event. */
export function retriesAfterToken(call: CallView): readonly Attempt[] {
  const issued = issuedGrant(call)
  if (!issued) return []
  return call.attempts.filter(({ event, authorized }) => authorized && isAfter(event, issued))
}

/** Requests of the client to an MCP server of ours; of two at one host the longer path is that of the second alone. */
export function requestsTo(t: Transcript, endpoint: string): Recorded<RequestEvent>[] {
  const own = new URL(endpoint)
  const isBeside = (other: string): boolean =>
    other !== endpoint && URL.canParse(other) && new URL(other).origin === own.origin
  const beside = placesOf(t).servers.find(isBeside)
  const isOwn = (path: string): boolean => {
    if (beside === undefined) return true
    const { pathname } = new URL(beside)
    return own.pathname.length > pathname.length
      ? path.endsWith(own.pathname)
      : !path.endsWith(pathname)
  }
  return [...t.requests(sentChannel), ...t.requests(metadataChannel)].filter(
    ({ url }) => URL.canParse(url) && new URL(url).origin === own.origin && isOwn(pathOf(url)),
  )
}

function attemptOf({ event, message }: Frame): Attempt {
  // What a client sends is always recorded as a request.
  const request = event as Recorded<RequestEvent>
  return {
    event: request,
    params: membersOf(message.value['params']),
    authorized: request.secrets?.some(isToken) === true,
  }
}

function isToken({ kind, at }: Sighting): boolean {
  return kind === 'access_token' && at.startsWith('headers.authorization')
}

function isChallenge({ message }: Frame): boolean {
  const meta = membersOf(membersOf(message.value['result'])['_meta'])
  return Object.hasOwn(meta, challengeKey)
}

function isToolResult({ message }: Frame): boolean {
  return Array.isArray(membersOf(message.value['result'])['content'])
}
