/** What it takes to write an answer in an API's own form. */

import type { Ids } from './ids.ts'
import type { IssuedToolCall } from './model-reply.ts'
import type { ModelRequest } from './model-request.ts'

export interface Writing {
  readonly request: ModelRequest
  readonly text: string | undefined
  readonly toolCalls: readonly IssuedToolCall[]
  readonly ids: Ids
  /** Seconds since the epoch. */
  readonly now: number
  /** Estimated: about four characters make a token. */
  readonly tokens: { readonly input: number; readonly output: number }
}

/** One JSON document, or the frames of a stream. */
export type Written = { readonly body: unknown } | { readonly frames: readonly string[] }

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
