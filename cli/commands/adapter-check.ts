/** `aoc adapter check -- COMMAND`: whether an adapter speaks the protocol. */

import { checkAdapter } from '../../harness/parties/implementation/adapter/check-adapter.ts'
import { exitCodes } from '../outcome/exit-codes.ts'
import { terminalOf } from '../print/terminal.ts'

/** How long one command may take, in milliseconds: some adapters load much. */
const patience = 60_000

/** Prints a line for each check; 0 where all is well. */
export async function adapterCheck(command: readonly string[]): Promise<number> {
  const { line } = terminalOf(process.stdout)
  const checks = await checkAdapter({ command, cwd: process.cwd(), within: patience })
  for (const { what, problem } of checks) {
    line(problem === undefined ? `ok      ${what}` : `not ok  ${what}: ${problem}`)
  }
  return checks.every(({ problem }) => problem === undefined) ? 0 : exitCodes.nonConformant
}
