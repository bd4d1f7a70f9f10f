/** What comes of reading a request body: a conversation, or why the API refuses it. */

import type { z } from 'zod'
import type { Conversation } from './conversation.ts'
import type { OfferedTool } from './model-request.ts'

/** A refusal in the terms that all APIs share; each writes it in its own shape. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly param?: string
  readonly code?: string
}

export interface Read {
  readonly model: string
  readonly stream: boolean
  readonly conversation: Conversation
  readonly tools: readonly OfferedTool[]
}

export type Reading = Read | { readonly refusal: Refusal }

/** A body that was parsed as JSON and is an object. */
export type RawBody = Readonly<Record<string, unknown>>

/** Says what is wrong with a body, the way the APIs do: the first problem and where it is. */
export function malformed(error: z.ZodError): { readonly refusal: Refusal } {
  const { path, message: problem } = telling(error.issues[0])
  const param = path.join('.')
  const message = `Invalid request: ${param || 'body'}: ${problem}`
  return { refusal: { status: 400, message, ...(param ? { param } : {}) } }
}

interface Problem {
  readonly path: readonly string[]
  readonly message: string
}

/** Where no form of a union fits, the form that was understood furthest tells most. */
function telling(issue: z.core.$ZodIssue | undefined): Problem {
  const path = (issue?.path ?? []).map(String)
  const here = { path, message: issue?.message ?? 'invalid' }
  if (issue?.code !== 'invalid_union') return here
  return issue.errors
    .map(([first]) => telling(first))
    .map((inner) => ({ ...inner, path: [...path, ...inner.path] }))
    .reduce((best, inner) => (inner.path.length > best.path.length ? inner : best), here)
}

/** Leaves out what is not there, so that an absent field stays absent. */
export function offeredTool(
  name: string,
  description: string | null | undefined,
  schema: unknown,
): OfferedTool {
  return {
    name,
    ...(description ? { description } : {}),
    ...(schema === undefined || schema === null ? {} : { schema }),
  }
}
