/** What checks ask of a transcript in the protocol's terms: what was asked for, opened, brought back, and answered. */

import {
  isAfter,
  jsonOf,
  perTranscript,
  type Recorded,
  type RequestEvent,
  type ResponseEvent,
  type StepEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import {
  authUriOf,
  eventsIn,
  fieldsOf,
  functionsIn,
  listIn,
  member,
  requestName,
  requestsIn,
  textIn,
  type CredentialRequest,
  type Fields,
} from '../wire.ts'
import { apiChannel, consentChannel } from './vocabulary.ts'

/** Whose session a message is for. */
export interface Place {
  readonly app: unknown
  readonly user: unknown
  readonly session: unknown
}

/** A message of the client application to the agent. */
export interface Message {
  readonly event: Recorded<RequestEvent>
  readonly place: Place
  readonly parts: readonly unknown[]
  /** The answer; `undefined` while there is none. */
  readonly answer: Recorded<ResponseEvent> | undefined
}

/** A functionResponse of the client application. */
export interface Answer {
  readonly message: Message
  readonly id: string
  readonly name: string
  readonly value: Fields
  /** Whether the agent took it: what it refuses may be sent again. */
  readonly accepted: boolean
}

/** An exchange at the route where a credential is made. */
export interface Completion {
  readonly event: Recorded<RequestEvent>
  readonly sent: Fields
  readonly made: Fields | undefined
}

/** A credential request that reached the client application, and what came of it. */
export interface Asked {
  readonly request: CredentialRequest
  readonly event: Recorded<ResponseEvent>
  readonly place: Place
  readonly call: string | undefined
  /** The URL as the agent made it; absent where the application makes it itself. */
  readonly authUri: string | undefined
  /** What was opened or shown for it. */
  readonly opened: readonly Recorded<StepEvent>[]
  /** What the browser brought back to the client application, undisturbed. */
  readonly callbacks: readonly Recorded<RequestEvent>[]
  readonly answers: readonly Answer[]
  readonly completions: readonly Completion[]
}

/** Everything that the client application has sent as a message, in its order. */
export const messagesOf = (t: Transcript): readonly Message[] => messages(t, '')

const messages = perTranscript((t): readonly Message[] =>
  t
    .requests(apiChannel)
    .filter(({ method, url }) => method === 'POST' && isRun(url))
    .map((event) => {
      const body = fieldsOf(jsonOf(event.body))
      const [app, user, session] = ['appName', 'userId', 'sessionId'].map((each) =>
        member(body, each),
      )
      const answer = t.answer(event)
      return {
        event,
        place: { app, user, session },
        parts: listIn(fieldsOf(member(body, 'newMessage'))['parts']),
        answer: answer?.type === 'response' ? answer : undefined,
      }
    }),
)

function isRun(url: string): boolean {
  return /\/run(_sse)?$/.test(URL.canParse(url) ? new URL(url).pathname : url)
}

/** Every functionResponse of the client application. */
export function answersOf(t: Transcript): readonly Answer[] {
  return messagesOf(t).flatMap((message) =>
    functionsIn({ content: { parts: message.parts } }, 'functionResponse').map((part) => ({
      message,
      ...part,
      accepted: hasResult(message),
    })),
  )
}

/** Whether the agent went on: it gave events, and no error among them. */
function hasResult({ answer }: Message): boolean {
  if (!answer || answer.status >= 400) return false
  const events = eventsIn(answer.body)
  return events.length > 0 && !events.some((each) => each['error'] !== undefined)
}

/** Every credential request that was delivered, in its order. */
export const askedOf = (t: Transcript, call?: string): readonly Asked[] => {
  const all = asked(t, '')
  return call === undefined ? all : all.filter((each) => each.call === call)
}

const asked = perTranscript((t): readonly Asked[] => {
  const answers = answersOf(t)
  return messagesOf(t).flatMap(({ answer, place }) =>
    answer === undefined || answer.status >= 400
      ? []
      : eventsIn(answer.body)
          .flatMap(requestsIn)
          .map((request) => follow(t, request, answer, place, answers)),
  )
})

function follow(
  t: Transcript,
  request: CredentialRequest,
  event: Recorded<ResponseEvent>,
  place: Place,
  answers: readonly Answer[],
): Asked {
  const begun = begunFor(t, request)
  const authUri = request.dialect === 'call' ? authUriOf(request) : begun
  const state = authUri === undefined ? undefined : parameter(authUri, 'state')
  const opened = t.steps('opened').filter((step) => belongs(step, event, state))
  const states = new Set([state, ...opened.map(({ detail }) => stateOf(detail['url']))])
  const callbacks = t
    .requests('browser')
    .filter(
      ({ url }) => states.has(parameter(url, 'state')) && parameter(url, 'state') !== undefined,
    )
  return {
    request,
    event,
    place,
    call: event.call,
    authUri,
    opened,
    callbacks,
    answers: answers.filter((each) => each.id === request.id && isAfter(each.message.event, event)),
    completions: completionsOf(t, request),
  }
}

/** What is opened for a request has its state; where the application makes that itself, it is of the same call. */
function belongs(step: Recorded<StepEvent>, event: Recorded<ResponseEvent>, state?: string) {
  const own = stateOf(step.detail['url'])
  if (state !== undefined && own !== undefined) return own === state
  return step.call === event.call && isAfter(step, event)
}

function stateOf(url: unknown): string | undefined {
  return parameter(textIn(url) ?? '', 'state')
}

/** A parameter of the query of a URL. */
export function parameter(url: string, name: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? undefined) : undefined
}

/** The URL that the application had made for a request, in the dialect of responses. */
function begunFor(t: Transcript, { config }: CredentialRequest): string | undefined {
  const key = member(config, 'credentialKey')
  for (const event of t.requests(consentChannel)) {
    const sent = fieldsOf(member(fieldsOf(jsonOf(event.body)), 'authConfig'))
    const answer = t.answer(event)
    if (!event.url.endsWith('/begin') || member(sent, 'credentialKey') !== key) continue
    if (answer?.type === 'response') return textIn(fieldsOf(jsonOf(answer.body))['authUri'])
  }
  return undefined
}

function completionsOf(t: Transcript, { id }: CredentialRequest): Completion[] {
  return t
    .requests(consentChannel)
    .filter(({ url }) => url.endsWith('/complete'))
    .flatMap((event) => {
      const sent = fieldsOf(jsonOf(event.body))
      const answer = t.answer(event)
      const made =
        answer?.type === 'response' ? fieldsOf(jsonOf(answer.body))['credential'] : undefined
      return sent['flowId'] === id
        ? [{ event, sent, made: made === undefined ? undefined : fieldsOf(made) }]
        : []
    })
}

/** A callback that the client application has answered in any way. */
export function cameBack(t: Transcript, { callbacks }: Asked): Recorded<RequestEvent> | undefined {
  return callbacks.find((each) => t.answer(each)?.type === 'response')
}

/** Whether an answer calls itself one to a credential request. */
export function isCredential({ name }: Answer): boolean {
  return name === requestName
}
