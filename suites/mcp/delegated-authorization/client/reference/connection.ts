/** One server: its tools, and what it has the user authorize meanwhile. */

import { Client, isCallToolResult } from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { Parts } from './parts.ts'
import type { ServerSpec, UserInterface } from './work.ts'

/** Milliseconds that a call may take: its user has to read, to log in, to authorize. */
const callTimeout = 15 * 60_000

const params = z.looseObject({
  url: z.string(),
  message: z.string(),
  redirect_uri_options: z.array(z.string()).optional(),
})
const result = z.looseObject({ url: z.string().optional() })

export class Connection {
  readonly #client: Client
  readonly #parts: Parts
  readonly #ready: Promise<readonly string[]>

  constructor(spec: ServerSpec, user: UserInterface, parts: Parts) {
    this.#parts = parts
    this.#client = new Client(
      { name: 'example-client', version: '1.0.0' },
      { capabilities: parts.capabilities(), versionNegotiation: { mode: 'legacy' } },
    )
    this.#client.setRequestHandler('auth/request', { params, result }, (request) =>
      parts.authorize(spec.name, request, user, parts),
    )
    this.#ready = this.#connect(spec)
    // Whoever calls a tool hears of it.
    this.#ready.catch(() => undefined)
  }

  async #connect(spec: ServerSpec): Promise<readonly string[]> {
    await this.#client.connect(this.#parts.createTransport(spec))
    const { tools } = await this.#client.listTools()
    return tools.map(({ name }) => name)
  }

  /** Whether the server has a tool of that name. */
  async offers(tool: string): Promise<boolean> {
    return (await this.#ready).includes(tool)
  }

  /** Calls a tool; resolves with the text of the result. */
  async call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const answer = await this.#client.callTool(
      { name: tool, arguments: { ...args } },
      { timeout: callTimeout },
    )
    return isCallToolResult(answer) ? JSON.stringify(answer.content) : 'no result'
  }

  async close(): Promise<void> {
    await this.#client.close()
  }
}
