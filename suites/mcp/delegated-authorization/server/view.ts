/** What checks ask of a transcript in the protocol's terms: calls of the tool, what they asked for, how they ended. */

import {
  perTranscript,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { HandedCall } from '../../../oauth-client/handed-call.ts'
import { endingOf } from '../../server/tool-calls.ts'
import {
  clientFrames,
  isAnswer,
  isToolCall,
  serverFrames,
  type Answering,
  type Frame,
} from '../../wire/frames.ts'
import { membersOf, textIn } from '../../wire/values.ts'
import { authParamsIn } from '../auth-request.ts'

/** One `auth/request`, and the message that it came in. */
export interface Asking {
  readonly frame: Frame
  readonly params: Readonly<Record<string, unknown>>
}

/** How often a call may ask a user who refuses every time; SEP-1028 has it end then. */
export const mostAskings = 5

/** One call of the tool. */
export interface CallView extends HandedCall {
  /** The connection that it was made on. */
  readonly connection: string
  readonly replies: readonly Frame<Answering>[]
  readonly askings: readonly Asking[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

const read = perTranscript((t, name): CallView => {
  const begun = t.steps('begin', name)[0]
  const attempts = clientFrames(t, name).filter(isToolCall)
  const ids = attempts.map(({ message }) => message.value['id'])
  const received = serverFrames(t, name)
  const replies = received.filter(isAnswer).filter(({ message }) => ids.includes(message.id))
  const askings = received.flatMap((frame) => {
    const params = authParamsIn(frame.message)
    return params ? [{ frame, params }] : []
  })
  // What is sent is always recorded as a request.
  const request = attempts[0]?.event as Recorded<RequestEvent> | undefined
  return {
    name,
    user: begun && textIn(begun.detail['user']),
    sentValues: {},
    arguments: membersOf(begun?.detail['arguments']),
    connection: textIn(begun?.detail['connection']),
    replies,
    askings,
    request,
    ack: request && t.answer(request),
    asked: askings.map(({ frame, params }) => ({ event: frame.event, url: params['url'] })),
    ended: replies.map(endingOf),
    authorizationRequests: t.provider('authorization-request', name),
    grants: t.provider('grant', name),
    accesses: t.provider('resource-access', name),
    upstream: t.requests('provider', name),
  }
})

/** Every call of the transcript, in the order in which they began. */
export function callsOf(t: Transcript): CallView[] {
  return t.steps('begin').map(({ call }) => callOf(t, call))
}
