/** How calls are answered. */

import type { CallToolResult } from '@modelcontextprotocol/server'

import type { Items } from './api.ts'
import { describeError } from './failure.ts'

export function describeItems(items: Items): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(items) }] }
}

/** A result that the model can read (MCP Tools, Error Handling). */
export function describeFailure(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: describeError(error) }] }
}
