/** The user at a terminal: a line calls a tool. */

import { createInterface } from 'node:readline'
import type { UserInterface } from './work.ts'

type Call = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<void>

/** What is shown there. */
export const terminal: UserInterface = {
  tell: (text) => void process.stdout.write(`${text}\n`),
}

/** Reads lines; resolves when there are no more. */
export function readLines(call: Call): Promise<void> {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const [, tool, args = ''] = /^call (\S+) ?(.*)$/.exec(line.trim()) ?? []
    const parsed = tool === undefined ? undefined : objectIn(args || '{}')
    if (tool === undefined || parsed === undefined)
      return terminal.tell('Type: call TOOL {"argument": "value"}')
    void call(tool, parsed)
  })
  return new Promise((resolve) => lines.once('close', resolve))
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
