/** Reads the body of Anthropic's `POST /v1/messages`. */

import { z } from 'zod'
import { contentSchema, imagesIn, textOf } from './content.ts'
import { Conversation } from './conversation.ts'
import { malformed, offeredTool, type RawBody, type Reading } from './reading.ts'

/** Blocks of other types (thinking, documents, server tools) are accepted and not read. */
const block = z.union([
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: contentSchema,
    is_error: z.boolean().nullish(),
  }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.string().refine((type) => !['tool_use', 'tool_result', 'text'].includes(type), {
      message: 'the block lacks what its type needs',
    }),
  }),
])
type Block = z.infer<typeof block>

const bodySchema = z.object({
  model: z.string(),
  stream: z.boolean().nullish(),
  system: contentSchema,
  messages: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.union([z.string(), z.array(block)]),
      }),
    )
    .min(1),
  tools: z
    .array(
      z.object({
        name: z.string(),
        description: z.string().nullish(),
        input_schema: z.unknown().optional(),
      }),
    )
    .nullish(),
})
type Message = z.infer<typeof bodySchema>['messages'][number]

/** Reads a body; a wrong one is a refusal, nothing is thrown. */
export function readMessages(raw: RawBody): Reading {
  const parsed = bodySchema.safeParse(raw)
  if (!parsed.success) return malformed(parsed.error)
  const { model, stream, system, messages, tools } = parsed.data
  const conversation = new Conversation()
  conversation.instruct(textOf(system))
  for (const message of messages) add(message, conversation)
  return {
    model,
    stream: stream ?? false,
    conversation,
    tools: (tools ?? []).map((tool) => offeredTool(tool.name, tool.description, tool.input_schema)),
  }
}

function add({ role, content }: Message, conversation: Conversation): void {
  if (typeof content === 'string') {
    conversation.say(role, content)
    return
  }
  let texts: string[] = []
  let said = false
  const flush = (): void => {
    if (texts.length > 0) conversation.say(role, texts.join('\n'))
    said ||= texts.length > 0
    texts = []
  }
  for (const item of content) {
    if (isText(item)) texts.push(item.text)
    else if (isToolUse(item)) {
      flush()
      // A call begins a turn unless this message already has: turns must not run together.
      if (!said) conversation.say(role, '')
      said = true
      conversation.call({ id: item.id, name: item.name, arguments: item.input })
    } else if (isToolResult(item)) {
      flush()
      said = true
      conversation.images += imagesIn(item.content)
      conversation.result({
        callId: item.tool_use_id,
        text: textOf(item.content),
        ...(item.is_error ? { isError: true } : {}),
      })
    } else if (item.type === 'image') conversation.images += 1
  }
  flush()
  if (!said) conversation.say(role, '')
}

const isText = (item: Block): item is Extract<Block, { text: string }> => 'text' in item
const isToolUse = (item: Block): item is Extract<Block, { id: string }> => 'id' in item
const isToolResult = (item: Block): item is Extract<Block, { tool_use_id: string }> =>
  'tool_use_id' in item
