/** RAP's wire messages as far as the OAuth chapter stands on them. Extra fields are allowed everywhere. */

import { z } from 'zod'
import { inputSchema } from './input-schema.ts'

const nonEmpty = z.string().min(1)
const callId = z.string().nullish()

/** RAP OAuth, "OAuth Message" and "Fields". */
export const oauthMessage = z.looseObject({
  type: z.literal('oauth'),
  group_id: z.string(),
  id: z.string(),
  call_id: callId,
  auth_url: nonEmpty,
})

const imageData = z.looseObject({ data: z.string(), mediaType: z.string() })

const contentItem = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  imageData.extend({ type: z.literal('image') }),
])

/** RAP Tool Result, Display Segments: what the content of each defined type is. Others are skipped by who does not know them. */
const segmentContents: Readonly<Record<string, z.ZodType>> = {
  text: z.string(),
  diff: z.looseObject({ path: z.string(), patch: z.string() }),
  image: imageData,
}

const segment = z
  .looseObject({ type: z.string(), content: z.union([z.string(), z.looseObject({})]) })
  .refine(({ type, content }) => segmentContents[type]?.safeParse(content).success ?? true, {
    message: 'the content of a segment has the form of its type',
  })

/** RAP Tool Result: one of `text` or `content` is required. What may be left out may be null (docs/readings.md, 57). */
export const toolResult = z
  .looseObject({
    type: z.literal('tool_result'),
    group_id: z.string(),
    id: z.string(),
    call_id: callId,
    text: z.string().nullish(),
    content: z.array(contentItem).min(1).nullish(),
    display_as: z.array(segment).nullish(),
    subscription: z.boolean().nullish(),
  })
  .refine((message) => typeof message.text === 'string' || Array.isArray(message.content), {
    message: 'one of text or content is required',
  })

/** The words of a result that reach the model: `content` supersedes `text` (RAP Tool Result, Fields). */
export function textOf(message: Readonly<Record<string, unknown>>): string {
  const { text, content } = message
  const words = Array.isArray(content)
    ? content
        .map((item: unknown) => (item as { text?: unknown } | null)?.text)
        .filter((word) => typeof word === 'string')
    : []
  if (words.length > 0) return words.join('\n')
  return typeof text === 'string' ? text : ''
}

/** The same, and what `text` says where `content` supersedes it: an error is described there (Tool Result, Error Handling). */
export function textsOf(message: Readonly<Record<string, unknown>>): readonly string[] {
  const { text } = message
  return [textOf(message), ...(typeof text === 'string' ? [text] : [])]
}

/** What separates the parts of a name in one part of the world is special in another: `.`, `:` and `/` pass (docs/readings.md, 57). */
const toolName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\p{L}\p{M}\p{N}_.:/-]+$/u, 'a tool name has no spaces or special characters')

const flag = z.boolean().nullish()

/** RAP Toolsets, Annotations. */
const annotations = z.looseObject({
  requiresAuth: nonEmpty.nullish(),
  readOnly: flag,
  destructive: flag,
  idempotent: flag,
  longRunning: flag,
})

/** RAP Toolsets: the discovery document. */
export const manifest = z
  .looseObject({
    name: z.string().min(1).max(128),
    description: z.string().nullish(),
    endpoint: z.url(),
    needsMigration: flag,
    tools: z
      .array(
        z.looseObject({
          name: toolName,
          description: z.string(),
          inputSchema,
          annotations: annotations.nullish(),
          displayScript: z.string().nullish(),
        }),
      )
      .min(1),
  })
  .refine((value) => new Set(value.tools.map((tool) => tool.name)).size === value.tools.length, {
    message: 'tool names must be unique in the toolset',
    path: ['tools'],
  })

/**
 * As much of a discovery document as it takes to drive the tool. Whether the document is valid is for a check to
 * say; an invalid one must not keep all others from being judged.
 */
export const usableManifest = z.looseObject({
  endpoint: z.url(),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        inputSchema: z.unknown(),
        annotations: z.looseObject({ requiresAuth: z.unknown().optional() }).nullish(),
      }),
    )
    .min(1),
})

/** What a runtime sends to invoke a tool. */
export interface Invocation {
  readonly operation: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly id: string
  readonly call_id?: string | null
  readonly callback_url: string
  readonly group_id: string
  readonly thread_ancestors?: readonly string[] | null
  readonly user_id?: string | null
}

/**
 * Milliseconds that the body of an acknowledgement is waited for. The status acknowledges: no body is read by a runtime
 * (Transport, Runtime → Tool), and none has to be interpreted by a tool (Tool Result, Response).
 */
export const unreadBodyMs = 1000
