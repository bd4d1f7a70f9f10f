/** What the declarations of commands share. They load the command itself only when it is asked for. */

import type { Command } from 'commander'
import { exitCodeTable } from '../outcome/exit-codes.ts'

/**
 * Adds commands to the program; `done` takes the exit code of the one that was run. `asked` names the command that the
 * command line asks for: only its options need be read from what the profiles declare.
 */
export type Declare = (
  program: Command,
  done: (code: number) => void,
  asked: string | undefined,
) => void | Promise<void>

/** Adds an option for every setting of every profile that has one. */
export async function addSettings(command: Command, asked: string | undefined): Promise<void> {
  if (asked !== command.name()) return
  const [{ overrideOptions, overridesOf }, { profiles }] = await Promise.all([
    import('../configuration/overrides.ts'),
    import('../../suites/registry.ts'),
  ])
  for (const option of overrideOptions(overridesOf(profiles))) command.addOption(option)
}

export const exitCodeHelp = `
Exit codes:
${exitCodeTable.map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`).join('\n')}`

/** An option that may be given more than once. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value]
}
