/** The model, behind an OpenAI-compatible chat completions API. */

import { z } from 'zod'

import type { Settings } from './config.ts'
import { backoff, isTimeout, pause } from './deadline.ts'
import type { Exchange } from './exchange.ts'
import type { ChatMessage } from './history.ts'
import type { OfferedTool } from './toolset.ts'

const replySchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string(),
                function: z.object({ name: z.string(), arguments: z.string() }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
})

export interface RequestedCall {
  readonly id: string
  readonly name: string
  /** As the model wrote them, which need not be JSON. */
  readonly arguments: string
}

export interface Reply {
  readonly text: string | null
  readonly calls: readonly RequestedCall[]
}

const attempts = 3
const firstDelayMs = 300

/** The model's reply, or undefined when it gave none that could be used. */
export async function askModel(
  messages: readonly ChatMessage[],
  tools: readonly OfferedTool[],
  settings: Settings,
  exchange: Exchange,
  closing: AbortSignal,
): Promise<Reply | undefined> {
  const { modelBaseUrl, modelApiKey, modelName, modelTimeoutMs } = settings
  const request = {
    method: 'POST',
    url: `${modelBaseUrl}/chat/completions`,
    headers: modelApiKey === undefined ? {} : { authorization: `Bearer ${modelApiKey}` },
    body: {
      model: modelName,
      messages,
      ...(tools.length === 0 ? {} : { tools: tools.map(describeTool) }),
    },
    timeoutMs: modelTimeoutMs,
  } as const
  for (let attempt = 1; attempt <= attempts && !closing.aborted; attempt += 1) {
    if (attempt > 1) await pause(backoff(firstDelayMs, attempt - 1), closing)
    try {
      const answer = await exchange.text(request)
      if (answer.status === 200) return parseReply(answer.text)
      if (answer.status !== 429 && answer.status < 500) return undefined
    } catch (error) {
      if (isTimeout(error)) return undefined
    }
  }
  return undefined
}

function describeTool({ functionName: name, description, inputSchema: parameters }: OfferedTool) {
  return { type: 'function', function: { name, description, parameters } }
}

function parseReply(text: string): Reply | undefined {
  try {
    const message = replySchema.parse(JSON.parse(text)).choices[0]?.message
    const words = message?.content || message?.refusal || null
    const calls = (message?.tool_calls ?? []).map(
      ({ id, function: { name, arguments: args } }) => ({
        id,
        name,
        arguments: args,
      }),
    )
    return words === null && calls.length === 0 ? undefined : { text: words, calls }
  } catch {
    return undefined
  }
}
