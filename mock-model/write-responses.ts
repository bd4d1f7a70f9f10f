/** Writes an answer as a response of the Responses API or as its stream of typed events. */

import type { ModelRequest } from './model-request.ts'
import { outputEvents, type OutputItem } from './response-events.ts'
import { frame } from './server-sent-events.ts'
import type { StoredItem } from './stored-responses.ts'
import type { Writing, Written } from './writing.ts'

/** An answer with what has to be kept of it. */
export interface WrittenResponse {
  readonly written: Written
  readonly id: string
  readonly items: readonly StoredItem[]
}

export function writeResponse(writing: Writing): WrittenResponse {
  const id = writing.ids.hex('resp_', 48)
  const output = outputOf(writing)
  const written = writing.request.stream
    ? { frames: responseEvents(writing, id, output).map((event) => frame(event, event.type)) }
    : { body: responseOf(writing, id, output) }
  return { written, id, items: output.map(storedItem) }
}

/** A message where there is text or nothing else, then the calls. */
function outputOf({ text, toolCalls, ids, request }: Writing): OutputItem[] {
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({
    id: ids.hex('fc_', 48),
    type: 'function_call' as const,
    status: 'completed' as const,
    arguments: JSON.stringify(input),
    call_id: id,
    name,
    ...namespaceOf(name, request),
  }))
  if (text === undefined && calls.length > 0) return calls
  const part = { type: 'output_text' as const, annotations: [], logprobs: [], text: text ?? '' }
  const message = {
    id: ids.hex('msg_', 48),
    type: 'message' as const,
    status: 'completed' as const,
    content: [part],
    role: 'assistant' as const,
  }
  return [message, ...calls]
}

/** A call says which namespace its tool stands in, where it does. */
function namespaceOf(name: string, { tools }: ModelRequest): { readonly namespace?: string } {
  const namespace = tools.find((tool) => tool.name === name)?.namespace
  return namespace === undefined ? {} : { namespace }
}

function storedItem(item: OutputItem): StoredItem {
  if (item.type === 'message') {
    return { id: item.id, text: item.content.map(({ text }) => text).join('') }
  }
  const call = {
    id: item.call_id,
    name: item.name,
    arguments: JSON.parse(item.arguments) as unknown,
  }
  return { id: item.id, call }
}

/** The complete response, as it is when not streamed. */
export function responseOf(writing: Writing, id: string, output: readonly OutputItem[]) {
  const { input, output: produced } = writing.tokens
  return {
    ...unfinished(writing, id),
    status: 'completed' as const,
    completed_at: writing.now,
    output: [...output],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: produced,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + produced,
    },
  }
}

/** Every event of the stream, numbered from 0. */
export function responseEvents(writing: Writing, id: string, output: readonly OutputItem[]) {
  const response = unfinished(writing, id)
  return [
    { type: 'response.created' as const, response },
    { type: 'response.in_progress' as const, response },
    ...output.flatMap((item, index) => outputEvents(item, index)),
    { type: 'response.completed' as const, response: responseOf(writing, id, output) },
  ].map((event, index) => ({ ...event, sequence_number: index }))
}

/** What the API repeats of the request, with its defaults. */
const repeated = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: { format: { type: 'text' as const } },
  tool_choice: 'auto' as const,
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled' as const,
}

function unfinished({ request, now }: Writing, id: string) {
  const given = Object.entries(request.raw).filter(
    ([name, value]) => Object.hasOwn(repeated, name) && value !== null,
  )
  return {
    id,
    object: 'response' as const,
    created_at: now,
    status: 'in_progress' as 'in_progress' | 'completed',
    completed_at: null as number | null,
    error: null,
    incomplete_details: null,
    model: request.model,
    output: [] as OutputItem[],
    service_tier: 'default' as const,
    usage: null as object | null,
    ...({ ...repeated, ...Object.fromEntries(given) } as typeof repeated),
  }
}
