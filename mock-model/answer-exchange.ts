/** One exchange with a runtime: let the script decide, wait if need be, write the answer. */

import type { ApiAdapter } from './api-adapter.ts'
import type { Ids } from './ids.ts'
import type {
  Decide,
  IssuedToolCall,
  ModelAnswer,
  ModelFailureEvent,
  ModelReply,
} from './model-reply.ts'
import type { ModelApi, ModelRequest } from './model-request.ts'
import type { Refusal } from './reading.ts'
import type { WaitingRoom } from './waiting-room.ts'
import { estimateTokens, type Written } from './writing.ts'

export interface Script {
  readonly decide: Decide
  readonly waiting: WaitingRoom
  readonly adapters: Readonly<Record<ModelApi, ApiAdapter>>
  readonly ids: Ids
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** What is sent, or why nothing can be. */
export type Outcome =
  | {
      readonly written: Written
      readonly text?: string
      readonly toolCalls: readonly IssuedToolCall[]
    }
  | { readonly refusal: Refusal }
  | { readonly failure: Pick<ModelFailureEvent, 'code' | 'message'> }

/** Asks the script and carries out what it says. Never rejects. */
export async function outcomeOf(
  request: ModelRequest,
  size: number,
  gone: AbortSignal,
  script: Script,
): Promise<Outcome> {
  if (script.waiting.closed) return { failure: withoutAnswer('closed') }
  try {
    const answer = await settle(script.decide(request), request.exchange, gone, script.waiting)
    if (answer === 'aborted' || answer === 'closed') return { failure: withoutAnswer(answer) }
    if ('error' in answer) return { refusal: refusalOf(answer) }
    return write(answer, request, size, script)
  } catch (error) {
    return { failure: { code: 'script', message: String(error) } }
  }
}

async function settle(
  reply: ModelReply,
  exchange: string,
  gone: AbortSignal,
  waiting: WaitingRoom,
): Promise<ModelAnswer | 'aborted' | 'closed'> {
  if (reply !== 'hold' && reply.delayUntil === undefined) return reply
  const until = reply === 'hold' ? undefined : reply.delayUntil
  const ended = await waiting.wait(exchange, gone, until)
  if (ended !== 'due') return ended
  return reply === 'hold' ? {} : reply
}

function withoutAnswer(code: 'aborted' | 'closed') {
  const message =
    code === 'aborted'
      ? 'the runtime gave up waiting for the model'
      : 'the model endpoint was closed before it answered'
  return { code, message }
}

function refusalOf({ error: status, message }: { error: number; message: string }): Refusal {
  if (Number.isInteger(status) && status >= 400 && status <= 599) return { status, message }
  throw new RangeError(`a model API does not fail with status ${status}`)
}

function write(
  { text, toolCalls = [] }: Exclude<ModelAnswer, { error: number }>,
  request: ModelRequest,
  size: number,
  { adapters, ids, now }: Script,
): Outcome {
  const adapter = adapters[request.api]
  const names = toolCalls.map(({ name }) => name)
  const callIds = adapter.callIds(request, names, ids)
  const issued = toolCalls.map((call, index): IssuedToolCall => {
    return { id: callIds[index] ?? '', name: call.name, arguments: call.arguments }
  })
  const said = (text ?? '') + toolCalls.map((call) => JSON.stringify(call)).join('')
  const written = adapter.write({
    request,
    text,
    toolCalls: issued,
    ids,
    now: Math.floor(now() / 1000),
    tokens: { input: Math.ceil(size / 4), output: estimateTokens(said) },
  })
  return { written, ...(text === undefined ? {} : { text }), toolCalls: issued }
}
