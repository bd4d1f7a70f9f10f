/** The commands, and what `aoc --help` teaches about them. Their options stand in `commands/declare-*.ts`. */

import { Command, CommanderError } from 'commander'
import { declareAdapter } from './commands/declare-adapter.ts'
import { declareCatalogue } from './commands/declare-catalogue.ts'
import { declareCertification } from './commands/declare-certification.ts'
import { exitCodeHelp, type Declare } from './commands/declare.ts'
import { declareDoctor } from './commands/declare-doctor.ts'
import { declareProvider } from './commands/declare-provider.ts'
import { declareMerge, declareRun } from './commands/declare-run.ts'
import { declareCompare, declareJudge, declareReport } from './commands/declare-stored-runs.ts'
import { exitCodes } from './outcome/exit-codes.ts'
import { packageInfo } from './package-info.ts'

const examples = `
Examples:
  aoc run                                        certify the reference implementation of this package
  aoc init                                       write conformance.config.ts, every setting explained
  aoc run --config conformance.config.ts         certify your own
  aoc run --url http://127.0.0.1:8080 --provider-port 9000 --authority ./ca
                                                 certify something that runs already
  aoc run --filter denied-consent                only one situation, or one requirement
  aoc report aoc-results/RUN --format sarif      another view of a stored run
  aoc judge aoc-results/<run>                    judge a stored run again, without driving anything
  aoc explain echo-call-id                       what a requirement says and how it is judged`

/** In the order of `--help`. */
const declarations: readonly Declare[] = [
  declareRun,
  declareCatalogue,
  declareAdapter,
  declareReport,
  declareJudge,
  declareCompare,
  declareMerge,
  declareCertification,
  declareProvider,
  declareDoctor,
]

/** Runs the command line and returns the exit code; what the user did wrong is thrown as a UsageError. */
export async function execute(argv: readonly string[]): Promise<number> {
  let code = 0
  const done = (result: number): void => {
    code = result
  }
  const words = argv.slice(2).filter((word) => word !== 'help' && !word.startsWith('-'))
  const program = await buildProgram(done, words[0])
  try {
    await program.parseAsync(argv)
    return code
  } catch (error) {
    // Commander has printed what was wrong, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    throw error
  }
}

async function buildProgram(
  done: (code: number) => void,
  asked: string | undefined,
): Promise<Command> {
  const program = new Command('aoc')
    .description('Certifies how agent software hands OAuth authorizations to humans and back.')
    .version(packageInfo.version, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(aoc --help shows the commands and options)')
    .addHelpText('after', `${examples}\n${exitCodeHelp}`)
  for (const declare of declarations) await declare(program, done, asked)
  for (const command of program.commands) {
    command.showHelpAfterError(`(aoc ${command.name()} --help shows its options)`)
  }
  return program
}
