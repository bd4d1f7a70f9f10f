/** A toolset as its discovery document describes it (RAP, Toolsets). */

import { createHash } from 'node:crypto'

import { z } from 'zod'

const name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\s\p{C}]+$/u)
const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))

const annotationsSchema = z.object({
  requiresAuth: z.string().optional(),
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  longRunning: z.boolean().optional(),
})

/** As much of JSON Schema as its own structure rests on. */
const inputSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.union([z.boolean(), z.looseObject({})])).optional(),
  required: z.array(z.string()).optional(),
})

const toolSchema = z.object({
  name,
  description: z.string(),
  inputSchema,
  annotations: annotationsSchema.optional(),
})

const toolsetSchema = z.object({
  name: z.string().min(1).max(128),
  description: z.string().optional(),
  endpoint: httpUrl,
  tools: z
    .array(toolSchema)
    .min(1)
    .refine((tools) => new Set(tools.map((tool) => tool.name)).size === tools.length),
})

export interface Toolset extends z.infer<typeof toolsetSchema> {
  /** Where its discovery document is, and where lifecycle notifications go. */
  readonly base: string
}

export interface OfferedTool {
  readonly name: string
  /** The name for the model. */
  readonly functionName: string
  readonly description: string
  readonly inputSchema: Record<string, unknown>
  readonly requiresAuth: string | undefined
  readonly endpoint: string
  /** The base URL of its toolset. */
  readonly toolset: string
}

/** The toolset, or undefined: an invalid one is refused as a whole. */
export function parseToolset(base: string, text: string): Toolset | undefined {
  try {
    return { ...toolsetSchema.parse(JSON.parse(text)), base }
  } catch {
    return undefined
  }
}

/** Joins toolsets. RAP, Loading Toolsets: of tools with one name none is made available. */
export function combineToolsets(toolsets: readonly Toolset[]): {
  tools: OfferedTool[]
  /** The names that several tools have. */
  refused: string[]
} {
  const all = toolsets.flatMap(({ tools, endpoint, base }) =>
    tools.map(({ annotations, ...tool }) => ({
      ...tool,
      functionName: functionName(tool.name),
      requiresAuth: annotations?.requiresAuth,
      endpoint,
      toolset: base,
    })),
  )
  const names = all.map(({ name }) => name)
  const refused = names.filter((name, index) => names.indexOf(name) !== index)
  return { tools: all.filter(({ name }) => !refused.includes(name)), refused }
}

/** RAP allows more names than model APIs do; those get one that is still unique. */
function functionName(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.replace(/[^\w-]/g, '_').slice(0, 55)}_${suffix}`
}
