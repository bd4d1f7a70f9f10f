/** What checks ask of a transcript in the protocol's terms: calls, what was asked in them, shown, opened and returned. */

import {
  isAfter,
  perTranscript,
  type Recorded,
  type RequestEvent,
  type StepEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { openedIn } from '../../client/own-pages.ts'
import { clientFrames, isToolCall, serverFrames, type Frame } from '../../wire/frames.ts'
import { membersOf, textIn } from '../../wire/values.ts'
import { authParamsIn } from '../auth-request.ts'
import { browserChannel, siteChannel } from './vocabulary.ts'

/** One `auth/request`, and the message that it went out in. */
export interface Asking {
  readonly frame: Frame
  readonly params: Readonly<Record<string, unknown>>
}

/** What the client answered to it. */
export interface Reply {
  readonly event: Frame['event']
  /** Of a result; `undefined` where it has none, and for an error. */
  readonly url: unknown
  /** Code of an error. */
  readonly error: unknown
}

/** One call of a tool by the user. */
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
  /** What else the site of the URL was asked for. */
  readonly visits: readonly Recorded<RequestEvent>[]
  /** What the browser brought back to the client. */
  readonly callbacks: readonly Recorded<RequestEvent>[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

const read = perTranscript((t, name): CallView => {
  const frames = clientFrames(t, name)
  const askings = serverFrames(t, name).flatMap((frame) => {
    const params = authParamsIn(frame.message)
    return params ? [{ frame, params }] : []
  })
  const asked = askings.map(({ params }) => textIn(params['url']))
  const ids = askings.map(({ frame }) => frame.message.value['id'])
  return {
    name,
    begun: t.steps('begin', name)[0],
    attempts: frames.filter(isToolCall),
    askings,
    replies: frames.filter(({ message }) => ids.includes(message.value['id'])).flatMap(replyIn),
    prompts: t.steps('prompt', name),
    decisions: t.steps('decide', name),
    opened: openedIn(t, name, asked),
    visits: t.requests(siteChannel, name),
    callbacks: t.requests(browserChannel, name),
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

/** What was opened when the user had agreed. */
export function openedFor(call: CallView): Recorded<StepEvent> | undefined {
  return call.opened.find((event) => isAfter(event, agreedIn(call)))
}

/** What a terminal may break a text up with: blanks, ends of lines, and the lines of boxes. */
const layout = /[\s\u2500-\u259f|]+/g

/** Whether a text is shown, however it is broken up. */
export function shows(shown: string, text: string): boolean {
  const flat = (value: string): string => value.replace(layout, '').toLowerCase()
  return flat(shown).includes(flat(text))
}

/** Everything that a prompt shows. */
export function textOf({ detail }: Recorded<StepEvent>): string {
  return [detail['text'], detail['url']].map(textIn).join('\n')
}

/** The first prompt that came after the client was asked. */
export function promptIn({ prompts, askings }: CallView): Recorded<StepEvent> | undefined {
  return prompts.find((prompt) => isAfter(prompt, askings[0]?.frame.event))
}

/** The redirect URI of a URL that was opened. */
export function redirectOf(opened: Recorded<StepEvent> | undefined): string | undefined {
  return redirectIn(textIn(opened?.detail['url']))
}

export function redirectIn(url: string): string | undefined {
  return URL.canParse(url)
    ? (new URL(url).searchParams.get('redirect_uri') ?? undefined)
    : undefined
}

function replyIn({ event, message }: Frame): Reply[] {
  if (message.kind === 'error') return [{ event, url: undefined, error: message.code ?? null }]
  if (message.kind !== 'result') return []
  return [{ event, url: membersOf(message.result)['url'], error: undefined }]
}
