/** Collects a conversation in the protocol-neutral form, whatever order its wire form comes in. */

import type { ModelMessage, ModelToolCall, ModelToolResult } from './model-request.ts'

interface GrowingMessage {
  readonly role: ModelMessage['role']
  text: string
  toolCalls?: ModelToolCall[]
  toolResults?: ModelToolResult[]
}

export class Conversation {
  readonly #messages: GrowingMessage[]
  /** Texts that were given as system outside of the messages. */
  readonly #instructions: string[] = []
  images = 0

  /** Continues after `earlier`, whose messages are not changed. */
  constructor(earlier: readonly ModelMessage[] = []) {
    this.#messages = earlier.map(copyOf)
  }

  instruct(text: string): void {
    if (text !== '') this.#instructions.push(text)
  }

  say(role: 'system' | 'user' | 'assistant', text: string): void {
    this.#messages.push({ role, text })
  }

  /** Adds a call to the assistant's turn in progress, or begins one. */
  call(call: ModelToolCall): void {
    const last = this.#messages.at(-1)
    if (last?.role !== 'assistant') {
      this.#messages.push({ role: 'assistant', text: '', toolCalls: [call] })
    } else if (last.toolCalls) last.toolCalls.push(call)
    else last.toolCalls = [call]
  }

  /** Adds a result to the tool turn in progress, or begins one. */
  result(result: ModelToolResult): void {
    const last = this.#messages.at(-1)
    if (last?.role === 'tool' && last.toolResults) {
      last.toolResults.push(result)
      last.text += `\n${result.text}`
    } else {
      this.#messages.push({ role: 'tool', text: result.text, toolResults: [result] })
    }
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages
  }

  get system(): string | undefined {
    const said = this.#messages.filter(({ role }) => role === 'system').map(({ text }) => text)
    const all = [...this.#instructions, ...said]
    return all.length > 0 ? all.join('\n\n') : undefined
  }
}

function copyOf({ role, text, toolCalls, toolResults }: ModelMessage): GrowingMessage {
  return {
    role,
    text,
    ...(toolCalls ? { toolCalls: [...toolCalls] } : {}),
    ...(toolResults ? { toolResults: [...toolResults] } : {}),
  }
}
