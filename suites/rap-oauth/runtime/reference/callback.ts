/** Messages from tools (RAP, Tool Result and OAuth): which are valid, whose they are, what they mean. */

import { z } from 'zod'

import type { Call } from './records.ts'

const ids = { group_id: z.string(), id: z.string(), call_id: z.string().nullish() }

const oauthSchema = z.object({ type: z.literal('oauth'), ...ids, auth_url: z.string().min(1) })

const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mediaType: z.string() }),
])
const resultSchema = z
  .object({
    type: z.literal('tool_result'),
    ...ids,
    text: z.string().optional(),
    content: z.array(contentSchema).optional(),
  })
  .refine(({ text, content }) => text !== undefined || content !== undefined)

// Unknown fields, `display_as` among them, are dropped here: they never reach the model.
const callbackSchema = z.discriminatedUnion('type', [oauthSchema, resultSchema])
export type CallbackMessage = z.infer<typeof callbackSchema>
export type ToolResult = z.infer<typeof resultSchema>

/** The message, or undefined when the body is none that this runtime takes. */
export function validateCallback(body: string): CallbackMessage | undefined {
  try {
    return callbackSchema.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}

/** `unknown`: not this call's message. `settled`: this call's, but too late. */
export type Match = 'accepted' | 'duplicate' | 'settled' | 'unknown'

/**
 * Compares a message with the call that its callback URL belongs to. All ids have to agree, so that
 * nobody who holds one call's URL can speak for another call or another conversation.
 */
export function matchCallback(message: CallbackMessage, call: Call | undefined): Match {
  if (call === undefined) return 'unknown'
  if (message.group_id !== call.conversation || message.id !== call.id) return 'unknown'
  if (typeof message.call_id === 'string' && message.call_id !== call.callId) return 'unknown'
  if (call.state === 'settled') return isRepeatedResult(message, call) ? 'duplicate' : 'settled'
  return message.type === 'oauth' && message.auth_url === call.authUrl ? 'duplicate' : 'accepted'
}

function isRepeatedResult(message: CallbackMessage, call: Call): boolean {
  return message.type === 'tool_result' && call.results.includes(resultText(message))
}

export type Reaction =
  | { readonly kind: 'ask-user'; readonly authUrl: string }
  | { readonly kind: 'settle'; readonly text: string }

/** RAP OAuth, Runtime Behavior: an `oauth` message asks the user and leaves the call pending. */
export function interpretCallback(message: CallbackMessage): Reaction {
  return message.type === 'oauth'
    ? { kind: 'ask-user', authUrl: message.auth_url }
    : { kind: 'settle', text: resultText(message) }
}

/** What the model gets to read; RAP Tool Result, Fields: content supersedes text. */
function resultText({ text = '', content }: ToolResult): string {
  if (content === undefined) return text
  return content
    .map((item) => (item.type === 'text' ? item.text : `[image: ${item.mediaType}]`))
    .join('\n')
}
