/** What checks ask of a transcript in RAP's terms: conversations, calls, what was delivered, what the model got. */

import {
  type Body,
  jsonOf,
  type Answer,
  type Recorded,
  type RequestEvent,
  type StepEvent,
  type SurfaceEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { ModelMessage } from '../../../harness/parties/index.ts'
import { readingsOf, shows } from '../../../harness/parties/host-user/url-in-text.ts'
import { attemptsAt } from './redelivery.ts'

export { isAfter, mark, show, watchedAfter, type Moment } from '../../../harness/engine/index.ts'

/** Whether a content type is that of JSON, with or without parameters (RFC 9110 §8.3.1). */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '')
}

/** A message that the harness sent to a callback URL. */
export interface Delivery {
  readonly name: string
  readonly step: Recorded<StepEvent>
  /** The first attempt. */
  readonly request: Recorded<RequestEvent> | undefined
  /** What the last attempt led to. */
  readonly answer: Answer
  /** The token that it carries: in its text, or in its URL. */
  readonly token: string
  readonly url: string | undefined
  readonly message: Readonly<Record<string, unknown>>
}

/** A request to the model, as the scripted model understood it. */
export interface Asked {
  readonly step: Recorded<StepEvent>
  readonly conversation: string | undefined
  readonly exchange: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** Names of the tools that were offered; a request for a title or a summary offers none. */
  readonly tools: readonly string[]
  /** How many images stand in the conversation. */
  readonly images: number
}

export interface CallView {
  readonly name: string
  readonly reference: string
  readonly conversation: string
  readonly tool: string
  readonly invocations: readonly Recorded<RequestEvent>[]
  /** The invocation that the tool took, or the first one, parsed as far as it is a JSON object. */
  readonly sent: Readonly<Record<string, unknown>>
  /** The model's tool call, under the id that the model gave it. */
  readonly toolCall: Recorded<StepEvent> | undefined
  readonly deliveries: readonly Delivery[]
}

export function callOf(t: Transcript, name = 'call-1'): CallView {
  const said = t.steps('ask', name)[0]?.detail ?? {}
  const invocations = t.requests('invocation', name)
  const taken = invocations.find((each) => isSuccess(t.answer(each)))
  return {
    name,
    reference: textOf(said['reference']),
    conversation: textOf(said['conversation']),
    tool: textOf(said['tool']),
    invocations,
    sent: fieldsOf((taken ?? invocations[0])?.body),
    toolCall: t.steps('model-called', name)[0],
    deliveries: t.steps('deliver', name).map((step) => deliveryOf(t, step)),
  }
}

/** What a message says, as far as it is a JSON object. */
export function fieldsOf(body: Body | undefined): Readonly<Record<string, unknown>> {
  const value = jsonOf(body)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : {}
}

function isSuccess(answer: ReturnType<Transcript['answer']>): boolean {
  return answer?.type === 'response' && answer.status >= 200 && answer.status < 300
}

export function callsOf(t: Transcript): CallView[] {
  return t.steps('ask').map((step) => callOf(t, step.call))
}

/** The message of that name that was sent for a call. */
export function delivered(t: Transcript, name: string, call = 'call-1'): Delivery | undefined {
  return callOf(t, call).deliveries.find((each) => each.name === name)
}

function deliveryOf(t: Transcript, step: Recorded<StepEvent>): Delivery {
  const { detail } = step
  return {
    name: String(detail['name']),
    step,
    ...attemptsAt(t, step),
    token: textOf(detail['token']),
    url: typeof detail['url'] === 'string' ? detail['url'] : undefined,
    message: (detail['message'] ?? {}) as Record<string, unknown>,
  }
}

/** Whether the runtime answered a delivery at all: it has arrived. */
export function arrived(delivery: Delivery | undefined): delivery is Delivery {
  return delivery?.answer?.type === 'response'
}

export function statusOf(delivery: Delivery): number | undefined {
  return delivery.answer?.type === 'response' ? delivery.answer.status : undefined
}

/** Every request to the model; of one conversation, if it is given. */
export function askedOf(t: Transcript, conversation?: string): Asked[] {
  return t
    .steps('model-asked')
    .map((step) => ({
      step,
      conversation:
        typeof step.detail['conversation'] === 'string' ? step.detail['conversation'] : undefined,
      exchange: String(step.detail['exchange']),
      system: textOf(step.detail['system']),
      messages: step.detail['messages'] as readonly ModelMessage[],
      tools: step.detail['tools'] as readonly string[],
      images: Number(step.detail['images'] ?? 0),
    }))
    .filter((each) => conversation === undefined || each.conversation === conversation)
}

/**
 * Under which ids a runtime may answer the model's tool call: the model's, its own, and, within a request, the one
 * under which it repeats that call to the model.
 */
export function idsOf({ sent, toolCall, reference }: CallView, asked?: Asked): readonly string[] {
  const repeated = (asked?.messages ?? [])
    .flatMap(({ toolCalls = [] }) => toolCalls)
    .filter((each) => reference !== '' && JSON.stringify(each.arguments)?.includes(reference))
    .map(({ id }) => id)
  return [toolCall?.detail['id'], sent['id'], sent['call_id'], ...repeated].filter(
    (id) => typeof id === 'string' && id !== '',
  ) as string[]
}

/** What was shown and contains the exact URL. */
export function shownWith(t: Transcript, url: string): Recorded<SurfaceEvent>[] {
  return t.surfaces().filter((event) => shows(event.text, url))
}

/** Whether the user of a conversation was shown it; what a surface shows that tells nobody apart, everybody was shown. */
export function isShownIn({ conversation }: SurfaceEvent, own: string): boolean {
  return !conversation || conversation === own
}

/** What was shown and contains the token, whichever way the text is escaped. */
export function shownWithToken(t: Transcript, token: string): Recorded<SurfaceEvent>[] {
  return t.surfaces().filter(({ text }) => readingsOf(text).some((each) => each.includes(token)))
}

/** The step that says how long this was waited for in vain; `of` names the delivery that it is about. */
export function gaveUp(
  t: Transcript,
  what: string,
  call = 'call-1',
  of?: string,
): Recorded<StepEvent> | undefined {
  return t
    .steps('gave-up', call)
    .find(({ detail }) => detail['what'] === what && (of === undefined || detail['of'] === of))
}

/** How long this was waited for in vain, in milliseconds. */
export function waitedInVain(...which: Parameters<typeof gaveUp>): number | undefined {
  const step = gaveUp(...which)
  return step && Number(step.detail['within'])
}

/** The value if it is a text; otherwise nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
