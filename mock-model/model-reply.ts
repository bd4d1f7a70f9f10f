/** What the scripted model answers. */

import type { Body } from './body.ts'
import type { ModelRequest } from './model-request.ts'

/** What the model says: text, tool calls, both, or nothing. */
export interface ModelTurn {
  readonly text?: string | undefined
  readonly toolCalls?:
    | readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[]
    | undefined
}

/** An error of the model API: a status from 400 to 599. */
export interface ModelError {
  readonly error: number
  readonly message: string
}

/** What the model says, or the error that it answers. */
export type ModelAnswer = ModelTurn | ModelError

/**
 * An answer, possibly not before a promise is fulfilled;
 * or `hold`: nothing is answered until `release` says what.
 */
export type ModelReply = (ModelAnswer & { readonly delayUntil?: Promise<unknown> }) | 'hold'

/** The script: decides on each request. If it throws, the harness is at fault. */
export type Decide = (request: ModelRequest) => ModelReply

/** A tool call as it was sent, under the id that the endpoint made for it. */
export interface IssuedToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A credential that was presented; enter it into the ledger before recording the event. */
export interface PresentedSecret {
  readonly kind: 'model_api_key'
  readonly value: string
}

interface OfExchange {
  readonly exchange: string
}

/** A request as it arrived; `request` is its reading, absent where it could not be read. */
export interface ModelRequestEvent extends OfExchange {
  readonly type: 'request'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  readonly secrets: readonly PresentedSecret[]
  readonly request?: ModelRequest
}

/** An answer, reported before its first byte is sent; `body` has all events of a stream. */
export interface ModelResponseEvent extends OfExchange {
  readonly type: 'response'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  readonly text?: string
  readonly toolCalls: readonly IssuedToolCall[]
}

/**
 * Why an exchange had no answer (`aborted` by the runtime, `closed` by the harness),
 * or why it got a 500 (`script`: decide threw, or asked for something impossible).
 */
export interface ModelFailureEvent extends OfExchange {
  readonly type: 'failure'
  readonly code: 'aborted' | 'closed' | 'script'
  readonly message: string
}

/** What is reported of an exchange: its request, and its answer or that there was none. */
export type ModelEvent = ModelRequestEvent | ModelResponseEvent | ModelFailureEvent
