/** Everything that `aoc` of the whole package can do. */

import type { CommandLine } from '../program.ts'
import { declareAdapter } from './declare-adapter.ts'
import { declareCatalogue } from './declare-catalogue.ts'
import { declareCertification } from './declare-certification.ts'
import { exitCodeHelp } from './declare.ts'
import { declareCompletion } from './declare-completion.ts'
import { declareDoctor } from './declare-doctor.ts'
import { declareProvider } from './declare-provider.ts'
import { declareMerge, declareRun } from './declare-run.ts'
import { declareCompare, declareJudge, declareReport } from './declare-stored-runs.ts'

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

export const conformance: CommandLine = {
  description: 'Certifies how agent software hands OAuth authorizations to humans and back.',
  // in the order of `--help`
  declarations: [
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
    declareCompletion,
  ],
  help: `${examples}\n${exitCodeHelp}`,
}
