/** Reads the body of `POST /responses`, and with it what it refers to of earlier responses. */

import { z } from 'zod'
import { parsedOrText } from './bounded-json.ts'
import { contentSchema, imagesIn, textOf } from './content.ts'
import { Conversation } from './conversation.ts'
import type { OfferedTool } from './model-request.ts'
import { malformed, offeredTool, type RawBody, type Reading, type Refusal } from './reading.ts'
import type { StoredResponses } from './stored-responses.ts'

/** Input items of other types (reasoning, hosted tools) are accepted and not read. */
const itemSchema = z.object({
  type: z.string().nullish(),
  id: z.string().nullish(),
  role: z.enum(['system', 'developer', 'user', 'assistant']).nullish(),
  content: z.unknown().optional(),
  call_id: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
})
type Item = z.infer<typeof itemSchema>

const toolSchema = z.object({
  name: z.string().nullish(),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
})

const bodySchema = z.object({
  model: z.string(),
  stream: z.boolean().nullish(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(itemSchema)]).nullish(),
  previous_response_id: z.string().nullish(),
  tools: z
    .array(
      toolSchema.extend({
        type: z.string().nullish(),
        // Those of a namespace.
        tools: z.array(toolSchema).nullish(),
      }),
    )
    .nullish(),
})

/** Reads a body; a wrong one, or one that refers to nothing known, is a refusal. */
export function readResponses(raw: RawBody, stored: StoredResponses): Reading {
  const parsed = bodySchema.safeParse(raw)
  if (!parsed.success) return malformed(parsed.error)
  const { model, stream, instructions, input, tools } = parsed.data
  const previousId = parsed.data.previous_response_id
  const previous = previousId ? stored.response(previousId) : undefined
  if (previousId && !previous) return { refusal: unknownResponse(previousId) }
  const conversation = new Conversation(previous?.messages)
  conversation.instruct(instructions ?? '')
  if (typeof input === 'string') conversation.say('user', input)
  for (const [index, item] of (Array.isArray(input) ? input : []).entries()) {
    const refusal = add(item, `input.${index}`, conversation, stored)
    if (refusal) return { refusal }
  }
  return {
    model,
    stream: stream ?? false,
    conversation,
    tools: (tools ?? []).flatMap((tool) =>
      tool.type === 'namespace'
        ? offered(tool.tools ?? []).map((each) => ({ ...each, namespace: tool.name ?? '' }))
        : offered([tool]),
    ),
  }
}

function offered(tools: readonly z.infer<typeof toolSchema>[]): OfferedTool[] {
  return tools.flatMap(({ name, description, parameters }) =>
    name ? [offeredTool(name, description, parameters)] : [],
  )
}

function add(
  item: Item,
  at: string,
  conversation: Conversation,
  stored: StoredResponses,
): Refusal | undefined {
  switch (item.type ?? (item.role ? 'message' : 'item_reference')) {
    case 'message': {
      if (!item.role) return wrong(`${at}.role`, 'a message has a role')
      const content = contentSchema.safeParse(item.content)
      if (!content.success) return wrong(`${at}.content`, 'neither a string nor a list of parts')
      conversation.images += imagesIn(content.data)
      const role = item.role === 'developer' ? 'system' : item.role
      conversation.say(role, textOf(content.data))
      return undefined
    }
    case 'function_call':
    case 'custom_tool_call': {
      const { call_id: id, name } = item
      if (!id || !name) return wrong(at, 'a call has a call_id and a name')
      conversation.call({ id, name, arguments: parsedOrText(item.arguments ?? item.input) })
      return undefined
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      if (!item.call_id) return wrong(`${at}.call_id`, 'an output names the call that it answers')
      const output = contentSchema.safeParse(item.output)
      if (!output.success) return wrong(`${at}.output`, 'neither a string nor a list of parts')
      conversation.images += imagesIn(output.data)
      conversation.result({ callId: item.call_id, text: textOf(output.data) })
      return undefined
    }
    case 'item_reference': {
      if (!item.id) return wrong(`${at}.id`, 'a reference has an id')
      const meant = stored.item(item.id)
      if (!meant) return unknownItem(item.id)
      if ('call' in meant) conversation.call(meant.call)
      else conversation.say('assistant', meant.text)
      return undefined
    }
    default:
      return undefined
  }
}

function wrong(param: string, problem: string): Refusal {
  return { status: 400, message: `Invalid request: ${param}: ${problem}`, param }
}

function unknownResponse(id: string): Refusal {
  return {
    status: 400,
    message: `Previous response with id '${id}' not found.`,
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  }
}

function unknownItem(id: string): Refusal {
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`
  return { status: 404, message, param: 'input' }
}
