/** Builds a command line of its commands and runs it. The options of commands stand in `commands/declare-*.ts`. */

import { Command, CommanderError } from 'commander'
import type { Declare } from './commands/declare.ts'
import { exitCodes } from './outcome/exit-codes.ts'
import { packageInfo } from './package-info.ts'

/** What a command line can do, and what its `--help` teaches. */
export interface CommandLine {
  readonly description: string
  readonly declarations: readonly Declare[]
  /** What stands below the commands. */
  readonly help: string
}

/** Runs the command line and returns the exit code; what the user did wrong is thrown as a UsageError. */
export async function execute(argv: readonly string[], line: CommandLine): Promise<number> {
  let code = 0
  const done = (result: number): void => {
    code = result
  }
  const words = argv.slice(2).filter((word) => word !== 'help' && !word.startsWith('-'))
  const program = await buildProgram(line, done, words[0])
  try {
    const known = program.commands.some((command) => command.name() === words[0])
    await program.parseAsync(words[0] === undefined || known ? argv : withoutHelp(argv))
    return code
  } catch (error) {
    // Commander has printed what was wrong, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    throw error
  }
}

/** Commander shows its own help for `nosuch --help`, and not that there is no such command. */
function withoutHelp(argv: readonly string[]): readonly string[] {
  return argv.filter((word, index) => index < 2 || !['help', '--help', '-h'].includes(word))
}

/** Commander names an argument that is missing, and not what it is. */
function sayingWhatItIs({ registeredArguments }: Command) {
  return (quoted: string, name: string): string => {
    const { description, argChoices } =
      registeredArguments.find((each) => each.name() === name) ?? {}
    const choices = argChoices ? `, one of ${argChoices.join(', ')}` : ''
    return description ? `<${name}>: ${description}${choices}\n` : quoted
  }
}

async function buildProgram(
  { description, declarations, help }: CommandLine,
  done: (code: number) => void,
  asked: string | undefined,
): Promise<Command> {
  const program = new Command('aoc')
    .description(description)
    .version(packageInfo.version, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(aoc --help shows the commands and options)')
    .addHelpText('after', help)
  for (const declare of declarations) await declare(program, done, asked)
  for (const command of program.commands) {
    command.showHelpAfterError(`(aoc ${command.name()} --help shows its options)`)
    command.configureOutput({
      outputError: (text, write) => write(text.replace(/'(\w+)'\n$/, sayingWhatItIs(command))),
    })
  }
  return program
}
