/** The user at a terminal: a line calls a tool or answers the prompt that is shown. */

import { createInterface } from 'node:readline'
import { createHost } from './host.ts'
import type { Parts } from './parts.ts'
import type { Decision, ServerSpec, UserInterface } from './work.ts'

const answers: Readonly<Record<string, Decision>> = { y: 'accept', n: 'decline' }

/** Reads lines until there are no more; resolves with the way to end what still runs. */
export function runTerminal(servers: readonly ServerSpec[], parts: Partial<Parts>) {
  const terminal = new Terminal()
  const host = createHost(servers, terminal, parts)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    if (terminal.answer(line.trim())) return
    const [, tool, args = '{}'] = /^call (\S+) ?(.*)$/.exec(line.trim()) ?? []
    const parsed = tool === undefined ? undefined : objectIn(args || '{}')
    if (tool === undefined || parsed === undefined)
      return terminal.tell('Type: call TOOL {"argument": "value"}')
    void host.call(tool, parsed)
  })
  return { host, ended: new Promise<void>((resolve) => lines.once('close', resolve)) }
}

interface Waiting {
  readonly text: string
  readonly answer: (decision: Decision) => void
}

class Terminal implements UserInterface {
  readonly #waiting: Waiting[] = []

  ask(text: string, _url: string, question = 'Open it? [y]es, [n]o: '): Promise<Decision> {
    return new Promise((answer) => {
      this.#waiting.push({ text: `${text}\n${question}`, answer })
      if (this.#waiting.length === 1) this.#show()
    })
  }

  tell(text: string): void {
    process.stdout.write(`${text}\n`)
  }

  /** Whether the line answers a prompt. */
  answer(line: string): boolean {
    const decision = answers[line]
    if (decision === undefined || this.#waiting.length === 0) return false
    this.#waiting.shift()?.answer(decision)
    this.#show()
    return true
  }

  #show(): void {
    const [first] = this.#waiting
    if (first) process.stdout.write(`\n${first.text}`)
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
