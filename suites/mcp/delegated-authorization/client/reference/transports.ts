/** The ways to a server. */

import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { ServerSpec } from './work.ts'

/** A program gets little of the environment of this one, and its own errors do not mix with the prompts. */
export function createTransport({ url, command }: ServerSpec): Transport {
  if (url !== undefined) return new StreamableHTTPClientTransport(new URL(url))
  return new StdioClientTransport({ command: command ?? '', stderr: 'ignore' })
}
