/** One interface to the four wire protocols. */

import { Conversation } from './conversation.ts'
import type { Ids } from './ids.ts'
import type { ModelApi, ModelRequest } from './model-request.ts'
import { isLegacy, legacyCallId, readChatCompletions } from './read-chat-completions.ts'
import { readGenerateContent } from './read-generate-content.ts'
import { readMessages } from './read-messages.ts'
import { readResponses } from './read-responses.ts'
import type { RawBody, Reading } from './reading.ts'
import type { AskRoute } from './routes.ts'
import { StoredResponses } from './stored-responses.ts'
import { writeChatCompletion } from './write-chat-completions.ts'
import { writeGenerateContent } from './write-generate-content.ts'
import { writeMessage } from './write-messages.ts'
import { writeResponse } from './write-responses.ts'
import type { Writing, Written } from './writing.ts'

export interface ApiAdapter {
  /** `route`: Gemini's path says what the body of others does. */
  read(raw: RawBody, route: AskRoute): Reading
  /** Ids for the calls of one answer, given their names. */
  callIds(request: ModelRequest, names: readonly string[], ids: Ids): readonly string[]
  write(writing: Writing): Written
}

/** A set of adapters of its own for each endpoint: responses remember. */
export function createAdapters(): Readonly<Record<ModelApi, ApiAdapter>> {
  return {
    'chat-completions': chatCompletionsAdapter,
    responses: responsesAdapter(new StoredResponses()),
    messages: messagesAdapter,
    'generate-content': generateContentAdapter,
  }
}

const openAiCallIds: ApiAdapter['callIds'] = (_, names, ids) =>
  names.map(() => ids.alphanumeric('call_', 24))

const chatCompletionsAdapter: ApiAdapter = {
  read: readChatCompletions,
  write: writeChatCompletion,
  callIds(request, names, ids) {
    if (!isLegacy(request.raw)) return openAiCallIds(request, names, ids)
    if (names.length > 1) throw new TypeError('a runtime that offers functions takes one call')
    return names.map((name) => legacyCallId(name, callsOf(request, name)))
  },
}

const messagesAdapter: ApiAdapter = {
  read: readMessages,
  write: writeMessage,
  callIds: (_, names, ids) => names.map(() => ids.alphanumeric('toolu_01', 22)),
}

const generateContentAdapter: ApiAdapter = {
  read: (raw, { model = '', stream = false }) => readGenerateContent(raw, { model, stream }),
  write: writeGenerateContent,
  callIds: (_, names, ids) => names.map(() => ids.alphanumeric('', 16)),
}

function responsesAdapter(stored: StoredResponses): ApiAdapter {
  return {
    read: (raw) => readResponses(raw, stored),
    callIds: openAiCallIds,
    write(writing) {
      const { request, text, toolCalls } = writing
      const { written, id, items } = writeResponse(writing)
      if (request.raw.store === false) return written
      const conversation = new Conversation(request.messages)
      conversation.say('assistant', text ?? '')
      for (const call of toolCalls) conversation.call(call)
      const { messages } = conversation
      stored.keep({ id, messages, items, bytes: JSON.stringify(messages).length })
      return written
    },
  }
}

/** How often a function was called in the legacy form before. */
function callsOf(request: ModelRequest, name: string): number {
  const calls = request.messages.flatMap(({ toolCalls }) => toolCalls ?? [])
  const legacy = new Set(calls.map((_, nth) => legacyCallId(name, nth)))
  return calls.filter(({ id }) => legacy.has(id)).length
}
