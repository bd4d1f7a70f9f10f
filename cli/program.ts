/** The commands, and what `aoc --help` teaches about them. Their options stand in `declarations/`. */

import { Command, CommanderError } from 'commander'
import { declareCatalogue } from './declarations/catalogue.ts'
import { declareCertification } from './declarations/certification.ts'
import { exitCodeHelp, type Declare } from './declarations/declare.ts'
import { declareProvider } from './declarations/provider.ts'
import { declareMerge, declareRun } from './declarations/run.ts'
import { declareCompare, declareJudge, declareReport } from './declarations/stored-runs.ts'
import { exitCodes } from './exit-codes.ts'
import { packageInfo } from './package-info.ts'

const examples = `
Examples:
  aoc run                                        certify the reference tool of this package
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
  declareReport,
  declareJudge,
  declareCompare,
  declareMerge,
  declareCertification,
  declareProvider,
]

/** Runs the command line and returns the exit code; what the user did wrong is thrown as a UsageError. */
export async function execute(argv: readonly string[]): Promise<number> {
  let code = 0
  const program = buildProgram((result) => {
    code = result
  })
  try {
    await program.parseAsync(argv)
    return code
  } catch (error) {
    // Commander has printed what was wrong, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    throw error
  }
}

function buildProgram(done: (code: number) => void): Command {
  const program = new Command('aoc')
    .description('Certifies how agent software hands OAuth authorizations to humans and back.')
    .version(packageInfo.version, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(aoc --help shows the commands and options)')
    .addHelpText('after', `${examples}\n${exitCodeHelp}`)
  for (const declare of declarations) declare(program, done)
  for (const command of program.commands) {
    command.showHelpAfterError(`(aoc ${command.name()} --help shows its options)`)
  }
  return program
}
