/** A tool call as it comes in: where its answers go, on whose behalf it acts, what it asks for. */

import { z } from 'zod'

import { parseCallbackUrl } from './callback-url.ts'
import { CallFailure } from './failure.ts'
import { checkRequest, requestSchema } from './operations.ts'

/** Where the messages of a call go and which ids they carry. */
export const addressSchema = z.object({
  id: z.string(),
  callId: z.string().nullable(),
  groupId: z.string(),
  callbackUrl: z.string(),
})
export type Address = z.infer<typeof addressSchema>

export const callSchema = addressSchema.extend({
  /** Null for an anonymous caller. */
  userId: z.string().nullable(),
  request: requestSchema,
})
export type Call = z.infer<typeof callSchema>

// Only what an answer needs is demanded here; the rest is judged after the acknowledgement.
// Unknown fields are ignored.
const invocationSchema = z.object({
  id: z.string(),
  call_id: z.unknown().optional(),
  group_id: z.string(),
  callback_url: z.string().refine((url) => parseCallbackUrl(url) !== undefined),
  user_id: z.unknown().optional(),
  operation: z.unknown().optional(),
  arguments: z.unknown().optional(),
})
export type Invocation = z.infer<typeof invocationSchema>

/** The body of an invocation, or undefined when nobody could be answered. */
export function parseInvocation(text: string): Invocation | undefined {
  try {
    return invocationSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export function addressOf(invocation: Invocation): Address {
  return {
    id: invocation.id,
    callId: typeof invocation.call_id === 'string' ? invocation.call_id : null,
    groupId: invocation.group_id,
    callbackUrl: invocation.callback_url,
  }
}

/** Validates the rest; throws a CallFailure, which becomes the call's tool_result. */
export function checkCall(invocation: Invocation): Call {
  const userId = invocation.user_id ?? null
  if (userId !== null && typeof userId !== 'string') {
    throw new CallFailure('invalid-arguments', '"user_id" must be a string or null.')
  }
  return {
    ...addressOf(invocation),
    // An empty id names nobody: two callers who send it need not be the same person.
    userId: userId === '' ? null : userId,
    request: checkRequest(invocation),
  }
}
