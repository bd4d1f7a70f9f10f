/** Writes an answer as an Anthropic message or as its stream of events. */

import { frame, piecesOf } from './server-sent-events.ts'
import type { Writing, Written } from './writing.ts'

export function writeMessage(writing: Writing): Written {
  const message = messageOf(writing)
  if (!writing.request.stream) return { body: message }
  return { frames: messageEvents(message).map((event) => frame(event, event.type)) }
}

type Message = ReturnType<typeof messageOf>

/** The complete message, as it is when not streamed. */
function messageOf({ request, text, toolCalls, ids, tokens }: Writing) {
  const called = toolCalls.map(({ id, name, arguments: input }) => ({
    type: 'tool_use' as const,
    id,
    name,
    input,
    caller: { type: 'direct' as const },
  }))
  return {
    id: ids.alphanumeric('msg_01', 22),
    type: 'message' as const,
    role: 'assistant' as const,
    model: request.model,
    content: [...(text ? [{ type: 'text' as const, text }] : []), ...called],
    stop_reason: called.length > 0 ? ('tool_use' as const) : ('end_turn' as const),
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: {
      input_tokens: tokens.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: tokens.output,
      service_tier: 'standard' as const,
    },
  }
}

/** `message_start`, the blocks with one `ping` among them, `message_delta`, `message_stop`. */
function messageEvents(message: Message) {
  const { content, stop_reason, stop_sequence, usage } = message
  const ping = { type: 'ping' as const }
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  }
  return [
    { type: 'message_start' as const, message: start },
    ...(content.length === 0 ? [ping] : []),
    ...content.flatMap((block, index) => [
      { type: 'content_block_start' as const, index, content_block: emptied(block) },
      ...(index === 0 ? [ping] : []),
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta' as const, index, delta })),
      { type: 'content_block_stop' as const, index },
    ]),
    {
      type: 'message_delta' as const,
      delta: { stop_reason, stop_sequence, stop_details: null, container: null },
      usage: {
        input_tokens: usage.input_tokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: usage.output_tokens,
      },
    },
    { type: 'message_stop' as const },
  ]
}

type Block = Message['content'][number]

function emptied(block: Block) {
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

/** The real API opens the arguments with an empty piece. */
function deltasOf(block: Block) {
  return block.type === 'text'
    ? piecesOf(block.text).map((text) => ({ type: 'text_delta' as const, text }))
    : ['', ...piecesOf(JSON.stringify(block.input))].map((partial_json) => ({
        type: 'input_json_delta' as const,
        partial_json,
      }))
}
