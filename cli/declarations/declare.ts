/** What the declarations of commands share. They load the command itself only when it is asked for. */

import type { Command } from 'commander'
import { exitCodeTable } from '../exit-codes.ts'

/** Adds commands to the program; `done` takes the exit code of the one that was run. */
export type Declare = (program: Command, done: (code: number) => void) => void

export const exitCodeHelp = `
Exit codes:
${exitCodeTable.map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`).join('\n')}`

/** An option that may be given more than once. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value]
}
