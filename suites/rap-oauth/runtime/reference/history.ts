/** A conversation in the form that a chat completions API takes. */

import type { Call, Message } from './records.ts'

export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type ChatMessage =
  | { readonly role: 'user' | 'system'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly tool_calls?: readonly ToolCall[]
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/**
 * RAP OAuth, Runtime Behavior: what the model is told of a call without a result (undefined for
 * nothing). It never sees the link.
 */
export function informModel(call: Call): string | undefined {
  const name = `The tool call "${call.functionName}" (${call.callId})`
  return call.awaitsAuthorization
    ? `${name} waits for the user's authorization. The user has been shown the link. The result will follow by itself; do not repeat the call.`
    : `${name} is still running. The result will follow by itself; do not repeat the call.`
}

/**
 * The API wants an answer to every tool call that it is shown, and a made-up one would end the
 * call for the model. So calls without a result are left out, and a note stands in their place.
 */
export function historyForModel(
  messages: readonly Message[],
  informModel: (call: Call) => string | undefined,
): ChatMessage[] {
  return messages.flatMap((message): ChatMessage[] => {
    if (message.role === 'user') return [{ role: 'user', content: message.text ?? '' }]
    const answered = message.calls.filter((call) => call.state === 'settled')
    const pending = message.calls.filter((call) => call.state !== 'settled')
    return [
      ...assistantMessage(message.text, answered),
      ...answered.flatMap(toolMessages),
      ...pending.flatMap((call) => noteOn(informModel(call))),
    ]
  })
}

function assistantMessage(content: string | null, calls: readonly Call[]): ChatMessage[] {
  if (calls.length > 0) return [{ role: 'assistant', content, tool_calls: calls.map(toolCall) }]
  return content === null ? [] : [{ role: 'assistant', content }]
}

function toolCall(call: Call): ToolCall {
  return {
    id: call.callId,
    type: 'function',
    function: { name: call.functionName, arguments: call.rawArguments },
  }
}

function toolMessages(call: Call): ChatMessage[] {
  return call.results.map((content) => ({ role: 'tool', tool_call_id: call.callId, content }))
}

function noteOn(content: string | undefined): ChatMessage[] {
  return content === undefined ? [] : [{ role: 'system', content }]
}
