/** How calls are answered. */

import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'

import { describeError } from '../failure.ts'
import type { Item } from '../upstream/list-items.ts'
import type { Call } from './call.ts'

export type ToolResult = CallToolResult | InputRequiredResult

export function describeItems(call: Call, items: readonly Item[]): CallToolResult {
  const listed = items.slice(0, call.arguments.limit)
  return { content: [{ type: 'text', text: JSON.stringify(listed) }] }
}

/** A result that the model can read (MCP Tools, Error Handling). */
export function describeFailure(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: describeError(error) }] }
}
