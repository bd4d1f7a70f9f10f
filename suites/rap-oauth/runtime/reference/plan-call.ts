/** What becomes of a tool call that the model asks for. */

import { z } from 'zod'

import type { Arguments } from './invocation.ts'
import type { RequestedCall } from './model.ts'
import type { CallBody } from './records.ts'
import type { OfferedTool } from './toolset.ts'

interface Target {
  readonly args: Arguments
  readonly endpoint: string
  readonly toolset: string
  readonly requiresAuth: string | undefined
}

export type PlannedCall = { readonly body: Omit<CallBody, 'userId'> } & (
  { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly error: string }
)

/** The arguments' fit is the tool's to judge (RAP, Lifecycle: acknowledge, then validate). */
export function planCall(requested: RequestedCall, tools: readonly OfferedTool[]): PlannedCall {
  const tool = tools.find((each) => each.functionName === requested.name)
  const args = parseArguments(requested.arguments)
  const body = {
    callId: requested.id,
    functionName: requested.name,
    rawArguments: requested.arguments,
    tool: tool?.name ?? requested.name,
    toolset: tool?.toolset ?? null,
  }
  if (tool === undefined) return { ok: false, body, error: 'Error: There is no such tool.' }
  if (args === undefined) {
    return { ok: false, body, error: 'Error: The arguments must be a JSON object.' }
  }
  const { endpoint, toolset, requiresAuth } = tool
  return { ok: true, body, target: { args, endpoint, toolset, requiresAuth } }
}

function parseArguments(text: string): Arguments | undefined {
  try {
    // Some models write nothing when there is nothing to say.
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text.trim() === '' ? '{}' : text))
  } catch {
    return undefined
  }
}
