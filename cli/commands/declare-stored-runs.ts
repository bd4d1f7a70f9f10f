/** `report`, `judge` and `compare`: what can be done with runs that are stored. */

import { InvalidArgumentError } from 'commander'
import {
  formatIds,
  formatNames,
  type FormatId,
  type FormatName,
} from '../../reports/views/format-names.ts'
import type { CompareOptions } from './compare.ts'
import type { JudgeOptions } from './judge.ts'
import type { ReportOptions } from './report.ts'
import { collect, type Declare } from './declare.ts'

const reportHelp = `
RUN is the folder of a run, or its results.json. Formats (html without --format; all of them: all):
${formatIds.map(formatLine).join('\n')}

Examples:
  aoc report aoc-results/RUN                             report.html beside results.json
  aoc report RUN --open                                  the same, and in the browser
  aoc report RUN --format sarif --format badge           two files
  aoc report RUN --format markdown --output -            to standard output
  aoc report RUN --format tap --output build/oauth.tap   to a file of that name`

function formatLine(id: FormatId): string {
  const { file, describes }: FormatName = formatNames[id]
  return `  ${id.padEnd(10)}${file.padEnd(15)}${describes}`
}

function collectFormat(value: string, previous: readonly string[] | undefined): readonly string[] {
  const known: readonly string[] = [...formatIds, 'all']
  if (!known.includes(value)) throw new InvalidArgumentError(`Expected one of ${known.join(', ')}.`)
  return collect(value, previous)
}

export const declareReport: Declare = (program, done) => {
  program
    .command('report')
    .summary('write reports of a stored run')
    .description('Writes views of a run that was stored by run or merge; nothing is run again.')
    .argument('<run>', 'folder of the run')
    .option('--format <format>', `${[...formatIds, 'all'].join(', ')}; repeatable`, collectFormat)
    .option('--output <path>', 'a folder, a file for one format, or - for standard output')
    .option('--open', 'show the HTML report in the browser')
    .addHelpText('after', reportHelp)
    .action(async (path: string, options: ReportOptions) => {
      const { report } = await import('./report.ts')
      done(await report(path, options))
    })
}

const judgeHelp = `
A transcript that was changed, cut or exchanged is refused, as is a run that was interrupted or judged by another
catalogue of requirements. Findings that are not what results.json says are named on standard error.
Exit codes are those of: aoc run`

export const declareJudge: Declare = (program, done) => {
  program
    .command('judge')
    .summary('judge the transcripts of a stored run again')
    .description(
      'Judges what a run recorded again, without driving anything: the same transcripts give the same findings.',
    )
    .argument('<run...>', 'the folder of a run, or some of its transcripts/*.jsonl')
    .option(
      '--filter <text>',
      'the requirement or scenario of this id, or where there is none, all with this text in their id',
      collect,
    )
    .option('--json', 'print the run record with the findings made again, and nothing else')
    .option('--quiet', 'print the verdict only')
    .addHelpText('after', judgeHelp)
    .action(async (paths: readonly string[], options: JudgeOptions) => {
      const { judge } = await import('./judge.ts')
      done(judge(paths, options))
    })
}

export const declareCompare: Declare = (program, done) => {
  program
    .command('compare')
    .summary('put several stored runs side by side')
    .description(
      'Makes the grid implementations × requirements, and says what changed between versions.',
    )
    .argument('<run...>', 'folders of runs or bundles, or folders that hold them')
    .option('--output <dir>', 'write the pages into this folder', 'aoc-comparison')
    .option('--markdown', 'print the grid as Markdown instead')
    .action(async (paths: readonly string[], options: CompareOptions) => {
      const { compare } = await import('./compare.ts')
      done(compare(paths, options))
    })
}
