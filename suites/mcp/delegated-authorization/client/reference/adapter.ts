/** The user behind the adapter protocol of a conformance suite: JSON Lines on standard input and output. */

import { createInterface } from 'node:readline'
import { z } from 'zod'
import { createHost, type Host } from './host.ts'
import type { Parts } from './parts.ts'
import type { Decision, UserInterface } from './work.ts'

const command = z.discriminatedUnion('command', [
  z.object({ id: z.number(), command: z.literal('hello') }),
  z.object({
    id: z.number(),
    command: z.literal('configure'),
    settings: z.record(z.string(), z.string()),
  }),
  z.object({ id: z.number(), command: z.literal('start') }),
  z.object({
    id: z.number(),
    command: z.literal('call'),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  z.object({
    id: z.number(),
    command: z.literal('answer'),
    prompt: z.string(),
    action: z.enum(['accept', 'decline']),
  }),
  z.object({ id: z.number(), command: z.literal('shutdown') }),
])

/** Takes commands until there are no more. */
export function runAdapter(parts: Partial<Parts>) {
  const user = new Adapted()
  let settings: Readonly<Record<string, string>> = {}
  let host: Host | undefined
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const { data } = command.safeParse(JSON.parse(line))
    if (!data) {
      const { id } = z.object({ id: z.number() }).parse(JSON.parse(line))
      return say({ event: 'unsupported', id })
    }
    if (data.command === 'configure') ({ settings } = data)
    if (data.command === 'start') host = createHost(serversIn(settings), user, parts)
    if (data.command === 'call') void host?.call(data.tool, data.arguments)
    if (data.command === 'answer') user.answer(data.prompt, data.action)
    say({ event: 'settled', id: data.id })
    if (data.command === 'shutdown') lines.close()
  })
  return {
    host: { close: async (): Promise<void> => host?.close() },
    ended: new Promise<void>((resolve) => lines.once('close', resolve)),
  }
}

class Adapted implements UserInterface {
  readonly #waiting = new Map<string, (decision: Decision) => void>()
  #prompts = 0

  ask(text: string, url: string): Promise<Decision> {
    const id = `prompt ${(this.#prompts += 1)}`
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      // Where a prompt is about no URL, nothing is shown apart.
      say({ event: 'prompt', id, text, ...(text.includes(url) ? { url } : {}) })
    })
  }

  tell(text: string): void {
    say({ event: 'surfaced', text })
  }

  answer(prompt: string, decision: Decision): void {
    this.#waiting.get(prompt)?.(decision)
    this.#waiting.delete(prompt)
  }
}

function serversIn(settings: Readonly<Record<string, string>>) {
  return ['', '2'].map((end) => ({
    name: settings[`mcp.name${end}`] ?? '',
    url: settings[`mcp.url${end}`],
  }))
}

function say(event: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}
