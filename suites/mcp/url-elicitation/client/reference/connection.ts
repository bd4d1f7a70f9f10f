/** One server: its tools, and what it asks of the user meanwhile. */

import { Client, isCallToolResult, UrlElicitationRequiredError } from '@modelcontextprotocol/client'
import type { Completions } from './completions.ts'
import type { Parts } from './parts.ts'
import type { ServerSpec, UrlRequest, UserInterface } from './work.ts'

/** Milliseconds that a call may take: its user has to read, to log in, to authorize. */
const callTimeout = 15 * 60_000
type Arguments = Readonly<Record<string, unknown>>

export class Connection {
  readonly name: string
  readonly #client: Client
  readonly #user: UserInterface
  readonly #parts: Parts
  readonly #completions: Completions
  readonly #ready: Promise<readonly string[]>

  constructor(spec: ServerSpec, user: UserInterface, parts: Parts) {
    this.name = spec.name
    this.#user = user
    this.#parts = parts
    this.#completions = parts.createCompletions()
    this.#client = new Client(
      { name: 'example-client', version: '1.0.0' },
      { capabilities: parts.capabilities(), versionNegotiation: { mode: parts.negotiation() } },
    )
    this.#client.setRequestHandler('elicitation/create', async ({ params }) => {
      const request = parts.urlRequestOf({ ...params })
      return parts.answerFor(await this.#consent(request))
    })
    this.#client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      parts.onComplete(params.elicitationId, this.#completions, this.name)
    })
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
  async call(tool: string, args: Arguments, round = 1): Promise<string> {
    try {
      const result = await this.#client.callTool(
        { name: tool, arguments: { ...args } },
        { timeout: callTimeout },
      )
      return isCallToolResult(result) ? JSON.stringify(result.content) : 'no result'
    } catch (error) {
      if (!(error instanceof UrlElicitationRequiredError)) throw error
      const requests = error.elicitations.map((each) => this.#parts.urlRequestOf({ ...each }))
      if (!(await this.#parts.handlesRequired(requests))) throw error
      if (!(await this.#fulfil(requests)) || round >= this.#parts.mostRounds()) throw error
      return this.call(tool, args, round + 1)
    }
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  /** Has the user do what the error requires; resolves when all of it is complete, or where they refuse. */
  async #fulfil(requests: readonly UrlRequest[]): Promise<boolean> {
    const completed = requests.map(({ elicitationId = '' }) => this.#completions.of(elicitationId))
    for (const request of this.#parts.asksFor(requests)) {
      if ((await this.#consent(request)) !== 'accept') return false
    }
    this.#user.tell('Waiting until it is complete. To try again at once, call the tool again.')
    await this.#parts.waitForCompletion(Promise.all(completed))
    return true
  }

  #consent(request: UrlRequest) {
    return this.#parts.consent(this.name, request, this.#user, this.#parts)
  }
}
