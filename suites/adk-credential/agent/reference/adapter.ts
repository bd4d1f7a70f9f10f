/** The agent behind the adapter protocol of a conformance suite: JSON Lines on standard input and output. */

import { createInterface } from 'node:readline'
import { z } from 'zod'
import { appName, createAgent } from './agent.ts'
import type { Config } from './environment.ts'
import type { Parts } from './parts.ts'
import type { Fields } from './tools.ts'

const talk = { id: z.number(), conversation: z.string(), user: z.string() }

const command = z.discriminatedUnion('command', [
  z.object({ id: z.number(), command: z.literal('hello') }),
  z.object({ id: z.number(), command: z.literal('configure') }),
  z.object({ id: z.number(), command: z.literal('start') }),
  z.object({ ...talk, command: z.literal('message'), text: z.string() }),
  z.object({ ...talk, command: z.literal('respond'), response: z.unknown() }),
  z.object({
    id: z.number(),
    command: z.literal('begin_consent'),
    user: z.string(),
    config: z.unknown(),
  }),
  z.looseObject({ id: z.number(), command: z.literal('complete_consent'), user: z.string() }),
  z.object({ id: z.number(), command: z.literal('dump') }),
  z.object({ id: z.number(), command: z.literal('restart') }),
  z.object({ id: z.number(), command: z.literal('shutdown') }),
])
type Command = z.infer<typeof command>
type Turn = Extract<Command, { command: 'message' | 'respond' }>

/** Takes commands until there are no more. */
export function runAdapter(config: Config, parts: Partial<Parts>): void {
  const adapted = new Adapted(config, parts)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const { data } = command.safeParse(JSON.parse(line))
    const { id } = z.object({ id: z.number() }).parse(JSON.parse(line))
    if (!data) return say({ event: 'unsupported', id })
    void adapted.take(data).then(
      (answer) => {
        say({ event: 'settled', id, ...answer })
        if (data.command === 'shutdown') process.exit(0)
      },
      (error: unknown) => say({ event: 'failed', id, message: String(error) }),
    )
  })
}

class Adapted {
  readonly #create: () => ReturnType<typeof createAgent>
  /** Whose each conversation is. */
  readonly #users = new Map<string, string>()
  #agent: ReturnType<typeof createAgent>

  constructor(config: Config, parts: Partial<Parts>) {
    this.#create = () => createAgent(config, parts)
    this.#agent = this.#create()
  }

  /** Gives what is told with the settlement; rejects where the command fails. */
  async take(given: Command): Promise<Fields> {
    switch (given.command) {
      case 'hello':
        return { protocol: 3, name: 'items-agent', capabilities: ['dump', 'restart'] }
      case 'message':
      case 'respond':
        void this.#turn(given)
        return {}
      case 'begin_consent':
        return this.#consent('begin', { userId: given.user, authConfig: given.config })
      case 'complete_consent': {
        const { id: _, command: __, user, ...callback } = given
        return this.#consent('complete', { userId: user, ...callback })
      }
      case 'dump':
        return {
          entries: await Promise.all([...this.#users.keys()].map((each) => this.#dump(each))),
        }
      case 'restart':
        this.#agent = this.#create()
        return {}
      default:
        return {}
    }
  }

  async #turn(given: Turn): Promise<void> {
    const { conversation, user } = given
    const part =
      given.command === 'message' ? { text: given.text } : { functionResponse: given.response }
    try {
      if (!this.#users.has(conversation)) await this.#post(pathOf(user, conversation), {})
      this.#users.set(conversation, this.#users.get(conversation) ?? user)
      const { status, body } = await this.#post('/run', {
        appName,
        userId: user,
        sessionId: conversation,
        newMessage: { role: 'user', parts: [part] },
      })
      if (!Array.isArray(body)) throw new Error(`HTTP ${status}`)
      for (const payload of body) say({ event: 'agent_event', conversation, payload })
      say({ event: 'finished', conversation, text: '' })
    } catch (error) {
      say({ event: 'run_failed', conversation, kind: 'Error', message: String(error) })
    }
  }

  async #consent(step: string, given: Fields): Promise<Fields> {
    const { status, body } = await this.#post(`/consent/${step}`, given)
    if (status >= 400) throw new Error(JSON.stringify(body))
    return body as Fields
  }

  async #dump(conversation: string): Promise<Fields> {
    const path = pathOf(this.#users.get(conversation) ?? '', conversation)
    const text = await (await this.#agent.request(path)).text()
    return { path: conversation, kind: 'session', text }
  }

  async #post(path: string, given: Fields): Promise<{ status: number; body: unknown }> {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(given) }
    const response = await this.#agent.request(path, init)
    return { status: response.status, body: await response.json() }
  }
}

function pathOf(user: string, conversation: string): string {
  return `/apps/${appName}/users/${encodeURIComponent(user)}/sessions/${encodeURIComponent(conversation)}`
}

function say(event: Fields): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}
