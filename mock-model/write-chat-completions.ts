/** Writes an answer as a chat completion or as its chunks. */

import { isLegacy } from './read-chat-completions.ts'
import { doneFrame, frame, piecesOf } from './server-sent-events.ts'
import type { Writing, Written } from './writing.ts'

export function writeChatCompletion(writing: Writing): Written {
  if (!writing.request.stream) return { body: chatCompletion(writing) }
  return { frames: [...chatChunks(writing).map((chunk) => frame(chunk)), doneFrame] }
}

/** `chat.completion`, as it is when not streamed. */
export function chatCompletion(writing: Writing) {
  const { request, text, toolCalls } = writing
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(input) },
  }))
  const legacy = isLegacy(request.raw) ? calls[0]?.function : undefined
  const message = {
    role: 'assistant' as const,
    content: text ?? (calls.length > 0 ? null : ''),
    ...(legacy ? { function_call: legacy } : calls.length > 0 ? { tool_calls: calls } : {}),
    refusal: null,
    annotations: [],
  }
  return {
    ...envelope(writing),
    object: 'chat.completion' as const,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(writing) }],
    usage: usage(writing),
    service_tier: 'default' as const,
  }
}

/** The `chat.completion.chunk`s: role, text, calls, finish reason, usage where asked for. */
export function chatChunks(writing: Writing) {
  const { request, text, toolCalls } = writing
  const withUsage = asksForUsage(request.raw.stream_options)
  const base = {
    ...envelope(writing),
    object: 'chat.completion.chunk' as const,
    service_tier: 'default' as const,
    ...(withUsage ? { usage: null } : {}),
  }
  const chunk = (delta: Delta, reason: ReturnType<typeof finishReason> | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
  })
  const content = text === undefined && toolCalls.length > 0 ? null : ''
  return [
    chunk({ role: 'assistant', content, refusal: null }),
    ...piecesOf(text ?? '').map((piece) => chunk({ content: piece })),
    ...callDeltas(writing).map((delta) => chunk(delta)),
    chunk({}, finishReason(writing)),
    ...(withUsage ? [{ ...base, choices: [], usage: usage(writing) }] : []),
  ]
}

interface Delta {
  role?: 'assistant'
  content?: string | null
  refusal?: null
  function_call?: { name?: string; arguments: string }
  tool_calls?: {
    index: number
    id?: string
    type?: 'function'
    function: { name?: string; arguments: string }
  }[]
}

function callDeltas({ request, toolCalls }: Writing): Delta[] {
  return toolCalls.flatMap(({ id, name, arguments: input }, index): Delta[] => {
    const pieces = piecesOf(JSON.stringify(input))
    if (isLegacy(request.raw)) {
      return [
        { function_call: { name, arguments: '' } },
        ...pieces.map((piece) => ({ function_call: { arguments: piece } })),
      ]
    }
    return [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]
  })
}

function finishReason({ request, toolCalls }: Writing) {
  if (toolCalls.length === 0) return 'stop' as const
  return isLegacy(request.raw) ? ('function_call' as const) : ('tool_calls' as const)
}

function envelope({ request, ids, now }: Writing) {
  return {
    id: ids.alphanumeric('chatcmpl-', 29),
    created: now,
    model: request.model,
    system_fingerprint: 'fp_scripted',
  }
}

function usage({ tokens: { input, output } }: Writing) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

function asksForUsage(options: unknown): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  )
}
