/** Reads the body of Gemini's `POST /v1beta/models/{model}:generateContent` and its streaming twin. */

import { z } from 'zod'
import { Conversation } from './conversation.ts'
import { malformed, offeredTool, type RawBody, type Reading } from './reading.ts'

/** Parts of other kinds (thoughts, files, code and its results) are accepted and not read. */
const partSchema = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  inlineData: z.object({ mimeType: z.string().nullish() }).nullish(),
  functionCall: z
    .object({ id: z.string().nullish(), name: z.string(), args: z.unknown().optional() })
    .nullish(),
  functionResponse: z
    .object({ id: z.string().nullish(), name: z.string(), response: z.unknown().optional() })
    .nullish(),
})
const contentSchema = z.object({
  /** `function` and `tool` are what some clients call the turn of results. */
  role: z.enum(['user', 'model', 'function', 'tool', 'system']).nullish(),
  parts: z.array(partSchema).nullish(),
})
type Part = z.infer<typeof partSchema>

const bodySchema = z.object({
  contents: z.array(contentSchema).min(1),
  systemInstruction: z.union([z.string(), contentSchema]).nullish(),
  tools: z
    .array(
      z.object({
        functionDeclarations: z
          .array(
            z.object({
              name: z.string(),
              description: z.string().nullish(),
              parameters: z.unknown().optional(),
              parametersJsonSchema: z.unknown().optional(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
})

/** Reads a body; a wrong one is a refusal, nothing is thrown. Model and streaming are in the path. */
export function readGenerateContent(
  raw: RawBody,
  path: { readonly model: string; readonly stream: boolean },
): Reading {
  const parsed = bodySchema.safeParse(raw)
  if (!parsed.success) return malformed(parsed.error)
  const { contents, systemInstruction, tools } = parsed.data
  const conversation = new Conversation()
  if (typeof systemInstruction === 'string') conversation.instruct(systemInstruction)
  else conversation.instruct((systemInstruction?.parts ?? []).flatMap(spoken).join('\n'))
  const ids = new PositionalIds()
  for (const { role, parts } of contents) add(role ?? 'user', parts ?? [], conversation, ids)
  return {
    ...path,
    conversation,
    tools: (tools ?? [])
      .flatMap(({ functionDeclarations }) => functionDeclarations ?? [])
      .map(({ name, description, parameters, parametersJsonSchema }) =>
        offeredTool(name, description, parametersJsonSchema ?? parameters),
      ),
  }
}

const roles = { user: 'user', model: 'assistant', system: 'system' } as const

function add(
  from: NonNullable<z.infer<typeof contentSchema>['role']>,
  parts: readonly Part[],
  conversation: Conversation,
  ids: PositionalIds,
): void {
  const role = from === 'function' || from === 'tool' ? 'user' : roles[from]
  let texts: string[] = []
  let said = false
  const flush = (): void => {
    if (texts.length > 0) conversation.say(role, texts.join('\n'))
    said ||= texts.length > 0
    texts = []
  }
  for (const part of parts) {
    const { functionCall, functionResponse, inlineData } = part
    texts.push(...spoken(part))
    if (inlineData?.mimeType?.startsWith('image/')) conversation.images += 1
    if (functionCall) {
      flush()
      // A call begins a turn unless this content already has: turns must not run together.
      if (!said) conversation.say('assistant', '')
      said = true
      const { id, name, args } = functionCall
      conversation.call({ id: id || ids.called(name), name, arguments: args ?? {} })
    }
    if (functionResponse) {
      flush()
      said = true
      const { id, name, response } = functionResponse
      const text = JSON.stringify(response ?? {})
      conversation.result({ callId: id || ids.answered(name), text })
    }
  }
  flush()
  if (!said) conversation.say(role, '')
}

const spoken = ({ text, thought }: Part): string[] => (text && !thought ? [text] : [])

/** Ids where the wire has none: the nth result of a function answers its nth call. */
class PositionalIds {
  readonly #calls = new Map<string, number>()
  readonly #results = new Map<string, number>()

  called(name: string): string {
    return next(this.#calls, name)
  }

  answered(name: string): string {
    return next(this.#results, name)
  }
}

function next(counts: Map<string, number>, name: string): string {
  const nth = counts.get(name) ?? 0
  counts.set(name, nth + 1)
  return `position-${nth}-${name}`
}
