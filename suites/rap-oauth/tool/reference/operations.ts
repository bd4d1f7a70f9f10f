/** The operations of this tool: what they take, which scopes they need, how runtimes learn of them. */

import { z } from 'zod'

import { CallFailure } from './failure.ts'

const title = z
  .string('"title" must be a string.')
  // Counted in characters, as JSON Schema does, not in UTF-16 units.
  .refine(
    (text) => text !== '' && Array.from(text).length <= 200,
    '"title" must have 1 to 200 characters.',
  )

const notAnObject = '"arguments" must be an object.'

export const requestSchema = z.discriminatedUnion('operation', [
  z.object({ operation: z.literal('list_items'), arguments: z.object({}, notAnObject) }),
  z.object({ operation: z.literal('create_item'), arguments: z.object({ title }, notAnObject) }),
])

/** An operation together with arguments that fit it. */
export type OperationRequest = z.infer<typeof requestSchema>

/** The least that each operation needs (RAP OAuth: minimum required scopes). */
const scopes: Readonly<Record<OperationRequest['operation'], readonly string[]>> = {
  list_items: ['items:read'],
  create_item: ['items:write'],
}

export function requiredScopes(request: OperationRequest): readonly string[] {
  return scopes[request.operation]
}

/** Throws a CallFailure with code `unknown-operation` or `invalid-arguments`. */
export function checkRequest(body: { operation?: unknown; arguments?: unknown }): OperationRequest {
  if (typeof body.operation !== 'string' || !Object.hasOwn(scopes, body.operation)) {
    throw new CallFailure('unknown-operation')
  }
  const checked = requestSchema.safeParse(body)
  if (checked.success) return checked.data
  throw new CallFailure('invalid-arguments', checked.error.issues[0]?.message)
}

export interface Toolset {
  readonly name: string
  readonly description: string
  readonly endpoint: string
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly inputSchema: object
    readonly annotations?: { readonly requiresAuth?: string; readonly readOnly?: boolean }
  }[]
}

/** The document behind /.well-known/rap-toolset. */
export function describeToolset(publicUrl: string, issuer: string): Toolset {
  const requiresAuth = new URL(issuer).host
  return {
    name: 'items',
    description: 'Lists and creates the items of a user.',
    endpoint: `${publicUrl}/invoke`,
    tools: [
      {
        name: 'list_items',
        description: 'Lists the items of the user.',
        inputSchema: { type: 'object', properties: {} },
        annotations: { requiresAuth, readOnly: true },
      },
      {
        name: 'create_item',
        description: 'Creates an item.',
        inputSchema: {
          type: 'object',
          properties: { title: { type: 'string', minLength: 1, maxLength: 200 } },
          required: ['title'],
        },
        annotations: { requiresAuth },
      },
    ],
  }
}
