/** One call of the tool, as its steps know it. */

import type { McpServer, ServerContext } from '@modelcontextprotocol/server'

export interface Call {
  /** Whose access token came with it. */
  readonly subject: string
  /** As they came in `initialize`. */
  readonly capabilities: unknown
  readonly context: ServerContext
  readonly server: McpServer
}
