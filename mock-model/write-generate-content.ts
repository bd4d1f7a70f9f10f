/** Writes an answer as Gemini's `GenerateContentResponse`, or as the stream of them. */

import { frame, piecesOf } from './server-sent-events.ts'
import type { Writing, Written } from './writing.ts'

/** A function call travels whole; only text comes in pieces. The last frame has the finish reason. */
export function writeGenerateContent(writing: Writing): Written {
  const { text, toolCalls, request } = writing
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    functionCall: { id, name, args },
  }))
  const base = responseBase(writing)
  if (!request.stream) {
    return { body: responseOf(base, [...(text ? [{ text }] : []), ...calls], 'STOP') }
  }
  const pieces = piecesOf(text ?? '').map((piece) => responseOf(base, [{ text: piece }]))
  const last = responseOf(base, calls.length > 0 ? calls : [{ text: '' }], 'STOP')
  return { frames: [...pieces, last].map((response) => frame(response)) }
}

function responseBase({ request, ids, tokens }: Writing) {
  return {
    usageMetadata: {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.output,
    },
    modelVersion: request.model,
    responseId: ids.alphanumeric('', 22),
  }
}

function responseOf(
  base: ReturnType<typeof responseBase>,
  parts: readonly unknown[],
  finishReason?: 'STOP',
) {
  const candidate = {
    content: { role: 'model' as const, parts },
    ...(finishReason === undefined ? {} : { finishReason }),
    index: 0,
  }
  return { candidates: [candidate], ...base }
}
