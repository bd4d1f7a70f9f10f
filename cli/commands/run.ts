/** `aoc run`: certifies an implementation and says what came of it. */

import { join } from 'node:path'
import { newRunId } from '../../harness/engine/index.ts'
import { resultsJson, type RunRecord } from '../../reports/index.ts'
import { openGate, type BaselineOptions } from '../outcome/baseline-gate.ts'
import { configure, type ConfigureOptions, type Subject } from '../configuration/configure.ts'
import { repeat } from '../running/repeat.ts'
import { runOnce } from '../running/run-once.ts'
import { select, selectShard, type Shard } from '../running/selection.ts'
import { writeJson } from '../print/json.ts'
import { terminalOf } from '../print/terminal.ts'
import { UsageError } from '../input/usage-error.ts'

export interface RunOptions extends ConfigureOptions, BaselineOptions {
  readonly filter?: readonly string[]
  readonly output?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly repeat?: number
  readonly shard?: Shard
  readonly keep?: boolean
}

/** Certifies, writes the results and returns the exit code. @throws {@link UsageError} */
export async function run(options: RunOptions): Promise<number> {
  const { filter = [], shard, json = false, quiet = false } = options
  if (shard && filter.length > 0) {
    throw new UsageError('--shard and --filter: one of them, a shard is a part of the whole suite')
  }
  if (options.repeat !== undefined && options.updateBaseline) {
    throw new UsageError('--update-baseline and --repeat: a baseline is made from one run')
  }
  const subject = await configure(options)
  if (options.keep) requireKeepable(subject, options)
  const id = newRunId()
  const plan = {
    subject,
    selection: shard ? selectShard(subject.profile, shard) : select(subject.profile, filter),
    partial: partialOf(filter, shard),
    gate: openGate(options, subject.profile),
    output: options.output ?? join('aoc-results', id),
    terminal: terminalOf(json ? process.stderr : process.stdout),
    quiet,
  }
  if (options.repeat !== undefined) return repeat(plan, { times: options.repeat, json })
  const record = await runOnce({ ...plan, id, repetition: false, keep: options.keep ?? false })
  if (json) writeJson(resultsJson(record))
  return record.exit.code
}

/** Only what this run starts, and starts beside other instances of it, is there to be kept at the end. */
function requireKeepable({ configuration }: Subject, options: RunOptions): void {
  const { target, provider } = configuration
  if (options.repeat !== undefined) throw new UsageError('--keep and --repeat: one of them')
  if (target.command === undefined) {
    throw new UsageError('--keep: this run does not start the implementation, so it cannot keep it')
  }
  if (!target.url.includes('{port}') || (provider && provider.port !== 0)) {
    throw new UsageError('--keep: with fixed ports each instance ends before the next one starts', [
      'use {port} in target.url, and provider.port 0',
    ])
  }
}

function partialOf(filters: readonly string[], shard: Shard | undefined): RunRecord['partial'] {
  if (shard) return { filters: [], shard }
  return filters.length > 0 && { filters }
}
