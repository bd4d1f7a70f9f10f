/** `aoc verify --rerun`: the certified configuration, run again against the relying party's own instance. */

import { join } from 'node:path'
import { newRunId } from '../../harness/engine/index.ts'
import { agreementOf, type Agreement, type RunRecord } from '../../reports/index.ts'
import { certificationSubject } from '../configuration/certification-subject.ts'
import { certifiedAgain } from '../configuration/certified-again.ts'
import type { ConfigureOptions } from '../configuration/configure.ts'
import { UsageError } from '../input/usage-error.ts'
import type { Terminal } from '../print/terminal.ts'
import { runOnce } from '../running/run-once.ts'
import { select } from '../running/selection.ts'

export interface RerunOptions extends ConfigureOptions {
  readonly output?: string
}

/** @throws {@link UsageError} where nothing says what is to be run */
export function requireInstance({ url, config }: RerunOptions): void {
  if (url !== undefined || config !== undefined) return
  throw new UsageError('--rerun needs an instance: give --url URL, or --config FILE', [
    'the suite never starts anything that a bundle names',
  ])
}

/** Runs again what was certified, and compares check by check. @throws {@link UsageError} */
export async function rerun(
  certified: RunRecord,
  options: RerunOptions,
  terminal: Terminal,
): Promise<Agreement> {
  const { subject } = certificationSubject(await certifiedAgain(certified, options))
  const id = newRunId()
  const record = await runOnce({
    id,
    subject,
    selection: select(subject.profile, []),
    partial: false,
    gate: (each) => each,
    repetition: false,
    output: options.output ?? join('aoc-results', id),
    terminal,
    quiet: true,
  })
  return agreementOf(certified, record)
}
