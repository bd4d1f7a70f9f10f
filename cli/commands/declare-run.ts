/** `run` and `merge`: certifying, whole or in parts. */

import { InvalidArgumentError, Option } from 'commander'
import type { MergeCommandOptions } from './merge.ts'
import type { RunOptions } from './run.ts'
import { groups } from '../configuration/option-groups.ts'
import { addSettings, collect, exitCodeHelp, type Declare } from './declare.ts'

const runHelp = `
Without --config and --url the reference implementation of the profile is certified, in a process of its own.
Options win over the configuration file. Durations: 500ms, 10s, 5m.

Each run writes report.html, summary.md, junit.xml, results.json (the run record) and transcripts/*.jsonl
to aoc-results/<run>/; aoc report writes further formats.
A best-practice MUST that is broken only warns; --strict makes it fail the run.

Environment: NO_COLOR, FORCE_COLOR; AOC_DEBUG=1 shows stack traces of harness errors.`

export const declareRun: Declare = async (program, done, asked) => {
  const command = program
    .command('run')
    .summary('certify an implementation')
    .description('Drives an implementation through every situation, judges it and reports.')
    .optionsGroup(groups.subject)
    .option('--config <file>', 'configuration, JSON or TypeScript (see: aoc init)')
  await addSettings(command, asked)
  command
    .optionsGroup(groups.judging)
    .option('--strict', 'let a broken best-practice MUST fail the run')
    .option(
      '--filter <text>',
      'the requirement or scenario of this id, or where there is none, all with this text in their id; repeatable',
      collect,
    )
    .addOption(
      new Option(
        '--repeat <n>',
        'run this many times and report every check whose verdict differed',
      ).argParser(atLeastTwo),
    )
    .option(
      '--shard <i/n>',
      'only every n-th scenario, beginning with the i-th; join with: aoc merge',
      shardOf,
    )
    .option('--baseline <file>', 'known findings, which do not fail the run; must be up to date')
    .option(
      '--update-baseline',
      'write that file again; new entries have no reason until you give one',
    )
    .optionsGroup(groups.output)
    .option('--output <dir>', 'write the results into this folder')
    .option('--json', 'print the run record, and nothing else, to standard output')
    .option('--quiet', 'print the verdict only')
    .option(
      '--keep',
      'leave the implementation running until Ctrl-C, so that requests can be repeated',
    )
    .addHelpText('after', `${runHelp}\n${exitCodeHelp}`)
    .action(async (options: RunOptions) => {
      const { run } = await import('./run.ts')
      done(await run(options))
    })
}

const mergeHelp = `
The shards must be of one configuration and one catalogue, each exactly once: an overlap or a gap is refused.
Their recordings are put together and judged as one; the result is what a single run would have written.

Example:
  aoc run --config c.json --shard 1/2 --output shards/1     on one machine
  aoc run --config c.json --shard 2/2 --output shards/2     on another one
  aoc merge shards/1 shards/2 --output merged`

export const declareMerge: Declare = (program, done) => {
  program
    .command('merge')
    .summary('join the shards of a run')
    .description('Joins runs made with --shard into one run record with all reports.')
    .argument('<shard...>', 'folders of the shards')
    .option('--baseline <file>', 'known findings, which do not fail the run; must be up to date')
    .option('--update-baseline', 'write that file again')
    .option('--output <dir>', 'write the results into this folder')
    .option('--json', 'print the run record, and nothing else, to standard output')
    .option('--quiet', 'print the verdict only')
    .addHelpText('after', `${mergeHelp}\n${exitCodeHelp}`)
    .action(async (paths: readonly string[], options: MergeCommandOptions) => {
      const { merge } = await import('./merge.ts')
      done(merge(paths, options))
    })
}

function shardOf(value: string): { readonly index: number; readonly of: number } {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? []).map(Number)
  if (index < 1 || index > of) {
    throw new InvalidArgumentError('Expected I/N with I from 1 to N, for example 2/4.')
  }
  return { index, of }
}

function atLeastTwo(value: string): number {
  if (!/^\d{1,4}$/.test(value) || Number(value) < 2) {
    throw new InvalidArgumentError('Expected a number from 2 to 9999.')
  }
  return Number(value)
}
