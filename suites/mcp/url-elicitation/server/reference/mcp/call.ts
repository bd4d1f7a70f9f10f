/** One call of the tool, whatever the revision of MCP that carries it. */

import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { Principal } from '../access/principal.ts'

/** The arguments of `list_items`. */
export interface ListArguments {
  readonly limit?: number | undefined
}

export interface Call {
  /** `modern`: 2026-07-28, which has no requests of the server; `legacy`: what came before. */
  readonly era: 'legacy' | 'modern'
  readonly principal: Principal
  readonly arguments: ListArguments
  /** What the client declared, for the session or for this request. */
  readonly capabilities: unknown
  readonly context: ServerContext
  readonly server: McpServer
}

/** MCP Elicitation, Capabilities: an empty object means form mode only. */
export function supportsUrlMode({ capabilities }: Call): boolean {
  return urlMode.safeParse(capabilities).success
}

const urlMode = z.object({ elicitation: z.object({ url: z.object({}) }) })
