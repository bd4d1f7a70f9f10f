/** What the tool is for: the notes of a user. */

import type { CallToolResult } from '@modelcontextprotocol/server'

export function listNotes(subject: string): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify([{ id: 1, text: `A note of ${subject}` }]) }],
  }
}
