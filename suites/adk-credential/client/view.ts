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
  requestsIn,
  textIn,
  type CredentialRequest,
  type Fields,
} from '../wire.ts'
import { returnsSomewhere } from './opened-urls.ts'
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
  /** Whether the agent answered it with an error. */
  readonly failed: boolean
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
      failed: hasFailed(message),
    })),
  )
}

/** Whether the agent went on: it gave events, and no error among them. */
function hasResult(message: Message): boolean {
  return !hasFailed(message) && eventsIn(message.answer?.body).length > 0
}

/** A failing turn is an error of HTTP, or an event of a stream. */
function hasFailed({ answer }: Message): boolean {
  if (!answer) return false
  return answer.status >= 400 || eventsIn(answer.body).some(({ error }) => error !== undefined)
}

/** Every credential request that was delivered, in its order. */
export const askedOf = (t: Transcript, call?: string): readonly Asked[] => {
  const all = asked(t, '')
  return call === undefined ? all : all.filter((each) => each.call === call)
}

/** A request in the answer that delivered it, before anything is known of what came of it. */
interface Delivered {
  readonly request: CredentialRequest
  readonly event: Recorded<ResponseEvent>
  readonly place: Place
  readonly authUri: string | undefined
}

const asked = perTranscript((t): readonly Asked[] => {
  const answers = answersOf(t)
  const delivered = messagesOf(t).flatMap(({ answer: event, place }): Delivered[] =>
    event === undefined || event.status >= 400
      ? []
      : eventsIn(event.body)
          .flatMap(requestsIn)
          .map((request) => ({ request, event, place, authUri: authUriFor(t, request) })),
  )
  return delivered.map((each) => {
    const { request, event, authUri } = each
    const opened =
      authUri === undefined ? ownUrl(t, each, delivered) : openedFor(t, each, delivered)
    const states = new Set([authUri, ...opened.map(urlOf)].map(stateOf))
    states.delete(undefined)
    return {
      ...each,
      call: event.call,
      opened,
      callbacks: t.requests('browser').filter(({ url }) => states.has(stateOf(url))),
      answers: answers.filter(
        ({ id, message }) => id === request.id && isAfter(message.event, event),
      ),
      completions: completionsOf(t, request),
    }
  })
})

function authUriFor(t: Transcript, request: CredentialRequest): string | undefined {
  return request.dialect === 'call' ? authUriOf(request) : begunFor(t, request)
}

function urlOf({ detail }: Recorded<StepEvent>): unknown {
  return detail['url']
}

/**
 * What is opened for a request has its state; where it has that of no request, it is of the same call. Events of the agent that
 * are shown as they came, as in a trace, have a URL that nobody opens: another text has it finished.
 */
function openedFor(
  t: Transcript,
  { event, authUri }: Delivered,
  all: readonly Delivered[],
): Recorded<StepEvent>[] {
  const state = stateOf(authUri)
  const states = all.map((each) => stateOf(each.authUri))
  const found = t.steps('opened').filter((step) => {
    const own = stateOf(urlOf(step))
    if (state !== undefined && own !== undefined && states.includes(own)) return own === state
    return step.call === event.call && isAfter(step, event) && isThere(urlOf(step), authUri)
  })
  const isFinished = (step: Recorded<StepEvent>) => returnsSomewhere(textIn(urlOf(step)) ?? '')
  if (!found.some(isFinished)) return found
  return found.filter((step) => step.detail['by'] !== 'user' || isFinished(step))
}

/** Nothing tells what a URL is for that the application made itself: the nth one is taken for the nth request. */
function ownUrl(t: Transcript, own: Delivered, all: readonly Delivered[]): Recorded<StepEvent>[] {
  const { event, request } = own
  const endpoint = endpointOf(request)
  const alike = all.filter((each) => each.authUri === undefined && each.event.call === event.call)
  const opened = t
    .steps('opened', event.call)
    .filter((step) => isAfter(step, alike[0]?.event) && isThere(urlOf(step), endpoint))
  const step = opened[alike.indexOf(own)]
  return step && isAfter(step, event) ? [step] : []
}

/** An application may open pages of its own as well. */
function isThere(url: unknown, place: string | undefined): boolean {
  const [one, other] = [textIn(url) ?? '', place ?? '']
  if (!URL.canParse(one) || !URL.canParse(other)) return true
  return new URL(one).origin === new URL(other).origin
}

/** The authorization endpoint of an AuthConfig. */
function endpointOf({ config }: CredentialRequest): string | undefined {
  const flows = fieldsOf(member(fieldsOf(member(config, 'authScheme')), 'flows'))
  return textIn(member(fieldsOf(member(flows, 'authorizationCode')), 'authorizationUrl'))
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

/** The first answer after the browser came back: one that came before is judged as such. */
export function answerAfter(
  { answers }: Asked,
  callback: Recorded<RequestEvent> | undefined,
): Answer | undefined {
  return answers.find(({ message }) => isAfter(message.event, callback))
}
