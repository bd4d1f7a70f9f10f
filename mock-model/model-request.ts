/** What a runtime asked the model, read the same way whichever API it speaks. */

/** The four wire protocols: OpenAI's two, Anthropic's and Gemini's. */
export type ModelApi = 'chat-completions' | 'responses' | 'messages' | 'generate-content'

/** A call of a tool that a model decided on. */
export interface ModelToolCall {
  /** The id that travels on the wire; where there is none (legacy `function_call`, Gemini) a derived one. */
  readonly id: string
  readonly name: string
  /** The parsed JSON; a text that is no JSON stays the text. */
  readonly arguments: unknown
}

/** What a model is told of the call of a tool. */
export interface ModelToolResult {
  /** Id of the {@link ModelToolCall} that it answers. */
  readonly callId: string
  readonly text: string
  /** Only Anthropic's protocol says so. */
  readonly isError?: boolean
}

/**
 * One turn of the conversation. Several text parts are joined by a line feed.
 * Calls that follow each other are one assistant turn, results that follow each other one tool turn.
 */
export interface ModelMessage {
  /** `developer` reads as `system`, `function` as `tool`. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly toolCalls?: readonly ModelToolCall[]
  readonly toolResults?: readonly ModelToolResult[]
}

/** A tool that a runtime offers to its model. */
export interface OfferedTool {
  readonly name: string
  /** The namespace that it stands in; only the Responses API has such. */
  readonly namespace?: string
  readonly description?: string
  /** JSON Schema of the arguments, as sent. */
  readonly schema?: unknown
}

/** A request to a model, read alike whatever wire format it has. */
export interface ModelRequest {
  /** Names the exchange in every event about it. */
  readonly exchange: string
  readonly api: ModelApi
  readonly stream: boolean
  readonly model: string
  /** Everything that was said as system: instructions first, then the system messages in order. */
  readonly system?: string
  /** With `previous_response_id` or `item_reference`, what they stand for is here too. */
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly OfferedTool[]
  /** Images in the conversation; they are counted, not read. */
  readonly images: number
  /** The body as it was parsed. */
  readonly raw: Readonly<Record<string, unknown>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}
