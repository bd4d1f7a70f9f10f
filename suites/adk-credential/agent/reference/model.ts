/** A client of Gemini's `generateContent`. */

import { z } from 'zod'
import type { BoundFetch } from './bound-fetch.ts'
import type { Config } from './environment.ts'
import { tools, type Fields } from './tools.ts'

const partSchema = z.object({
  text: z.string().optional(),
  functionCall: z
    .object({ name: z.string(), args: z.record(z.string(), z.unknown()).optional() })
    .optional(),
})
const answerSchema = z.object({
  candidates: z
    .array(z.object({ content: z.object({ parts: z.array(partSchema).default([]) }) }))
    .min(1),
})

/** A turn of a conversation, as the model is given it. */
export interface Content {
  readonly role: 'user' | 'model'
  readonly parts: readonly Fields[]
}

export type ModelPart = z.infer<typeof partSchema>

/** Rejects where the model does not answer properly. */
export async function askModel(
  { url, key, name }: Config['model'],
  fetch: BoundFetch,
  contents: readonly Content[],
): Promise<readonly ModelPart[]> {
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }))
  const response = await fetch(`${url}/v1beta/models/${name}:generateContent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
    body: JSON.stringify({
      systemInstruction: { parts: [{ text: 'You look after the items of your user.' }] },
      contents,
      tools: [{ functionDeclarations }],
    }),
  })
  if (!response.ok) throw new Error('the model did not answer')
  return answerSchema.parse(await response.json()).candidates[0]?.content.parts ?? []
}
