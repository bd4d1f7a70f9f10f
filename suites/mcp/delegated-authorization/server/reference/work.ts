/** What all steps of this server share, and what they know of a call. */

import type { McpServer, ServerContext } from '@modelcontextprotocol/server'

import type { BoundFetch } from './bound-fetch.ts'
import type { Config } from './config.ts'
import type { Parts } from './parts.ts'
import type { Provider } from './provider.ts'
import type { Queue } from './queue.ts'
import type { Records } from './sealed-files.ts'

export interface Work {
  readonly config: Config
  readonly parts: Parts
  readonly fetch: BoundFetch
  readonly provider: () => Promise<Provider>
  readonly records: Records
  readonly queue: Queue
}

/** One call of the tool. */
export interface Call {
  /** Whose access token came with it. */
  readonly subject: string
  /** As they came in `initialize`. */
  readonly capabilities: unknown
  readonly context: ServerContext
  readonly server: McpServer
}
