/** `aoc run`: certifies an implementation and says what came of it. */

import { join } from 'node:path'
import { newRunId } from '../../harness/index.ts'
import { resultsJson } from '../../reports/index.ts'
import { configure, type ConfigureOptions } from '../configure.ts'
import { repeat } from '../repeat.ts'
import { runOnce } from '../run-once.ts'
import { select } from '../selection.ts'
import { terminalOf } from '../terminal.ts'

export interface RunOptions extends ConfigureOptions {
  readonly filter?: readonly string[]
  readonly output?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly repeat?: number
}

/** Certifies, writes the results and returns the exit code. @throws {@link UsageError} */
export async function run(options: RunOptions): Promise<number> {
  const { filter = [], json = false, quiet = false } = options
  const subject = await configure(options)
  const id = newRunId()
  const plan = {
    subject,
    selection: select(subject.profile, filter),
    filter,
    output: options.output ?? join('aoc-results', id),
    terminal: terminalOf(json ? process.stderr : process.stdout),
    quiet,
  }
  if (options.repeat !== undefined) return repeat(plan, { times: options.repeat, json })
  const record = await runOnce({ ...plan, id, repetition: false })
  if (json) process.stdout.write(resultsJson(record))
  return record.exit.code
}
