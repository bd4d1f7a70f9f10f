/** Runs a command line in this process and turns whatever comes of it into an exit code. */

import { ownTrouble } from '../harness/engine/own-trouble.ts'
import { printable } from '../harness/engine/text.ts'
import { exitCodes } from './outcome/exit-codes.ts'
import { execute, type CommandLine } from './program.ts'
import { ownName } from './print/own-name.ts'
import { flushed, surviveClosedPipes } from './print/terminal.ts'
import { detailOf, messageOf } from './input/unknown.ts'
import { UsageError } from './input/usage-error.ts'

/** Ends the process with the exit code. */
export async function runCommandLine(line: CommandLine): Promise<never> {
  const streams = [process.stdout, process.stderr]
  surviveClosedPipes(streams)
  const code = await execute(process.argv, line).catch(report)
  await flushed(streams)
  // Idle connections must not keep a finished command alive.
  process.exit(code)
}

/** What is wrong may stand in a file of somebody else, and is quoted. */
function shown(text: string): string {
  const lines = text.split('\n').map((line) => `${/^ */.exec(line)?.[0]}${printable(line, 2000)}\n`)
  return lines.join('')
}

/** Commands that a hint names are called as this one was: in a clone there is no `aoc`. */
function typable(hint: string): string {
  return hint.replaceAll(/\baoc (?=[a-z])/g, () => `${ownName()} `)
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(shown(`error: ${error.message}`))
    for (const hint of error.hints) process.stderr.write(shown(`  ${typable(hint)}`))
    return exitCodes.usage
  }
  const debug = process.env['AOC_DEBUG'] === '1'
  const short = ownTrouble(error) ?? messageOf(error)
  process.stderr.write(shown(`harness error: ${debug ? detailOf(error) : short}`))
  if (!debug)
    process.stderr.write(
      '  This is not the fault of the implementation; AOC_DEBUG=1 shows where it happened.\n',
    )
  return exitCodes.harnessError
}
