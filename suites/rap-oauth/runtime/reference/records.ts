/** What the runtime remembers: conversations made of messages, messages that made tool calls. */

import { z } from 'zod'

/** The part of a call that never changes; a stored record. */
export const callBodySchema = z.object({
  /** The model's own id of the tool call: the `call_id` of the invocation. */
  callId: z.string(),
  /** The name under which the model called it. */
  functionName: z.string(),
  /** As the model wrote them, which need not be JSON. */
  rawArguments: z.string(),
  /** The RAP tool, or what the model took for one. */
  tool: z.string(),
  /** Where the tool lives; null when there is no such tool. */
  toolset: z.string().nullable(),
  userId: z.string().nullable(),
})
export type CallBody = z.infer<typeof callBodySchema>

export interface Call extends CallBody {
  readonly seq: number
  /** The assistant message that made it. */
  readonly turn: number
  /** The `group_id` of the invocation. */
  readonly conversation: string
  /** The `id` of the invocation; unique for ever. */
  readonly id: string
  readonly createdAt: number
  /** `sending` until the tool acknowledged it or called back; `settled` once it has a result. */
  readonly state: 'sending' | 'pending' | 'settled'
  /** The link that was shown to the user; null before that and after the call. */
  readonly authUrl: string | null
  readonly awaitsAuthorization: boolean
  readonly authUrlRefused: boolean
  readonly results: readonly string[]
}

export const messageBodySchema = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string().nullable(),
  userId: z.string().nullable(),
})
export type MessageBody = z.infer<typeof messageBodySchema>

export interface Message extends MessageBody {
  readonly seq: number
  /** True until the model has been asked about it; for a tool call's message: about its results. */
  readonly unseen: boolean
  readonly calls: readonly Call[]
}
