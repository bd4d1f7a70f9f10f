/** Reads the body of `POST /chat/completions`, its legacy `functions` form included. */

import { z } from 'zod'
import { parsedOrText } from './bounded-json.ts'
import { contentSchema, imagesIn, textOf } from './content.ts'
import { Conversation } from './conversation.ts'
import type { OfferedTool } from './model-request.ts'
import { malformed, offeredTool, type RawBody, type Reading } from './reading.ts'

const named = z.object({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
})
const call = z.object({ name: z.string(), arguments: z.unknown().optional() })

const messageSchema = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: contentSchema,
    name: z.string().nullish(),
    tool_call_id: z.string().nullish(),
    tool_calls: z
      .array(
        z.object({
          id: z.string(),
          function: call.nullish(),
          custom: z.object({ name: z.string(), input: z.unknown().optional() }).nullish(),
        }),
      )
      .nullish(),
    function_call: call.nullish(),
  })
  .refine(({ role, tool_call_id }) => role !== 'tool' || typeof tool_call_id === 'string', {
    path: ['tool_call_id'],
    message: 'a tool message names the call that it answers',
  })
  .refine(({ role, name }) => role !== 'function' || typeof name === 'string', {
    path: ['name'],
    message: 'a function message names its function',
  })
type Message = z.infer<typeof messageSchema>

const bodySchema = z.object({
  model: z.string(),
  stream: z.boolean().nullish(),
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.object({ function: named.nullish(), custom: named.nullish() })).nullish(),
  functions: z.array(named).nullish(),
})

/** Reads a body; a wrong one is a refusal, nothing is thrown. */
export function readChatCompletions(raw: RawBody): Reading {
  const parsed = bodySchema.safeParse(raw)
  if (!parsed.success) return malformed(parsed.error)
  const { model, stream, messages, tools, functions } = parsed.data
  const conversation = new Conversation()
  const legacy = new Map<string, number>()
  for (const message of messages) add(message, conversation, legacy)
  return {
    model,
    stream: stream ?? false,
    conversation,
    tools: [
      ...(tools ?? []).flatMap((tool) => tool.function ?? tool.custom ?? []),
      ...(functions ?? []),
    ].map((tool): OfferedTool => offeredTool(tool.name, tool.description, tool.parameters)),
  }
}

function add(message: Message, conversation: Conversation, legacy: Map<string, number>): void {
  const text = textOf(message.content)
  conversation.images += imagesIn(message.content)
  switch (message.role) {
    case 'system':
    case 'developer':
      conversation.say('system', text)
      return
    case 'user':
      conversation.say('user', text)
      return
    case 'tool':
      conversation.result({ callId: message.tool_call_id ?? '', text })
      return
    case 'function': {
      const name = message.name ?? ''
      conversation.result({ callId: legacyCallId(name, (legacy.get(name) ?? 1) - 1), text })
      return
    }
    case 'assistant':
      conversation.say('assistant', text)
      for (const { id, function: called, custom } of message.tool_calls ?? []) {
        const { name, input } = called
          ? { name: called.name, input: called.arguments }
          : { name: custom?.name ?? '', input: custom?.input }
        conversation.call({ id, name, arguments: parsedOrText(input) })
      }
      if (message.function_call) {
        const { name, arguments: input } = message.function_call
        const nth = legacy.get(name) ?? 0
        legacy.set(name, nth + 1)
        conversation.call({ id: legacyCallId(name, nth), name, arguments: parsedOrText(input) })
      }
  }
}

/** The id of the nth call of a function (from 0) where the wire has none. */
export function legacyCallId(name: string, nth: number): string {
  return `legacy-${nth}-${name}`
}

/** True if the runtime knows `functions` only and so cannot be answered with `tool_calls`. */
export function isLegacy(raw: RawBody): boolean {
  return Array.isArray(raw.functions) && !Array.isArray(raw.tools)
}
