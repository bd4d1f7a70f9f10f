/** What checks ask of a transcript in the protocol's terms: calls, what was asked in them, shown, decided and answered. */

import {
  isAfter,
  perTranscript,
  type Moment,
  type Recorded,
  type RequestEvent,
  type StepEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { openedIn } from '../../client/own-pages.ts'
import { clientFrames, isToolCall, serverFrames, type Frame } from '../../wire/frames.ts'
import type { Message } from '../../wire/json-rpc.ts'
import { membersOf, textIn } from '../../wire/values.ts'
import { elicitationsIn, type Elicitation } from '../elicitation.ts'
import { pageChannel } from './vocabulary.ts'

/** An elicitation, and the message that it went out in. */
export interface Asking extends Elicitation {
  readonly frame: Frame
  /** What an answer names: the id of the request, or the key among the requests for input. */
  readonly name: unknown
}

/** What the client answered to an elicitation. */
export interface Reply {
  readonly event: Frame['event']
  /** The name of what is answered. */
  readonly to: unknown
  /** Of a result; `undefined` where it has none, and for an error. */
  readonly action: unknown
  readonly content: unknown
  /** Code of an error. */
  readonly error: unknown
}

/** One call of a tool by the user, with every time that the client made it. */
export interface CallView {
  readonly name: string
  readonly begun: Recorded<StepEvent> | undefined
  /** The requests for it, the first one first. */
  readonly attempts: readonly Frame[]
  readonly askings: readonly Asking[]
  readonly replies: readonly Reply[]
  /** What the user was asked. */
  readonly prompts: readonly Recorded<StepEvent>[]
  /** What the user said. */
  readonly decisions: readonly Recorded<StepEvent>[]
  /** What was opened for the user. */
  readonly opened: readonly Recorded<StepEvent>[]
  /** What the site was asked for, by whomever. */
  readonly visits: readonly Recorded<RequestEvent>[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

const read = perTranscript((t: Transcript, name: string): CallView => {
  const attempts = clientFrames(t, name).filter(isToolCall)
  const askings = serverFrames(t, name).flatMap((frame) =>
    elicitationsIn(frame.message).map((each) => ({
      ...each,
      frame,
      name: each.key ?? frame.message.value['id'],
    })),
  )
  const asked = askings.map(({ params }) => textIn(params['url']))
  return {
    name,
    begun: t.steps('begin', name)[0],
    attempts,
    askings,
    replies: [...clientFrames(t, name).flatMap(answersIn), ...attempts.flatMap(inputsIn)],
    prompts: t.steps('prompt', name),
    decisions: t.steps('decide', name),
    opened: openedIn(t, name, asked),
    visits: t.requests(pageChannel, name),
  }
})

/** Every call of the transcript, in the order in which they began. */
export function callsOf(t: Transcript): CallView[] {
  return t.steps('begin').map(({ call }) => callOf(t, call))
}

/** When the user agreed, if so. */
export function agreedIn({ decisions }: CallView): Recorded<StepEvent> | undefined {
  return decisions.find(({ detail }) => detail['action'] === 'accept')
}

/**
 * What the client itself asked the site for. The browsers that the harness gives it visit nothing; what a browser of
 * its own fetches once its user has agreed cannot be told from it.
 */
export function ownVisits(
  call: CallView,
  { opens }: { readonly opens: boolean },
): CallView['visits'] {
  const byHarness = call.opened.some(({ detail }) => detail['by'] === 'browser')
  if (!opens || byHarness) return call.visits
  return call.visits.filter((visit) => !isAfter(visit, agreedIn(call)))
}

/** That the client ended by itself after something. */
export function endedAfter(t: Transcript, since: Moment): Recorded<StepEvent> | undefined {
  return t.steps('gone').find((step) => isAfter(step, since))
}

/** Everything that a prompt shows. */
export function textOf({ detail }: Recorded<StepEvent>): string {
  return [detail['text'], detail['url']].map(textIn).join('\n')
}

/** What a terminal may break a text up with: blanks, ends of lines, and the lines of boxes. */
export const layout = /[\s\u2500-\u259f|]+/g

/** Whether a text is shown, however it is broken up. */
export function shows(shown: string, text: string): boolean {
  return shown.includes(text) || shown.replace(layout, '').includes(text.replace(layout, ''))
}

/** Whether a prompt is about a URL, of which it may not show all. */
export function isAbout(prompt: Recorded<StepEvent>, url: string): boolean {
  return shows(textOf(prompt), url.split('?')[0]!)
}

/** The first prompt that came after something, or after the call was begun. */
export function promptIn({ prompts, askings }: CallView): Recorded<StepEvent> | undefined {
  const asked: Moment | undefined = askings[0]?.frame.event
  return prompts.find((prompt) => isAfter(prompt, asked))
}

/** Only what the server asks for in a call is answered in that call. */
function answersIn({ event, message }: Frame): Reply[] {
  const to = message.value['id']
  if (message.kind === 'error')
    return [{ event, to, action: undefined, content: undefined, error: message.code ?? null }]
  if (message.kind !== 'result') return []
  return [replyIn(event, to, message.result)]
}

/** The answers that a retry carries (2026-07-28, InputResponses). */
function inputsIn({ event, message }: Frame): Reply[] {
  return Object.entries(inputResponsesIn(message)).map(([key, answer]) =>
    replyIn(event, key, answer),
  )
}

/** What a request carries as answers, by key. */
export function inputResponsesIn(message: Message): Readonly<Record<string, unknown>> {
  return membersOf(membersOf(message.value['params'])['inputResponses'])
}

function replyIn(event: Frame['event'], to: unknown, answer: unknown): Reply {
  const { action, content } = membersOf(answer)
  return { event, to, action, content, error: undefined }
}
