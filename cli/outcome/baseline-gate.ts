/** Holds a run against the file of known findings, and writes that file anew where this was asked for. */

import { existsSync, readFileSync } from 'node:fs'
import type { AnyProfile } from '../../harness/engine/index.ts'
import {
  baselineJson,
  BaselineError,
  emptyBaseline,
  holdAgainst,
  parseBaseline,
  updated,
  writeAtomically,
  type Baseline,
  type Held,
  type UnfinishedRecord,
} from '../../reports/index.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'

export interface BaselineOptions {
  readonly baseline?: string
  readonly updateBaseline?: boolean
}

/** Completes the record by what the baseline says about it. */
export type Gate = (record: UnfinishedRecord) => UnfinishedRecord

/** Reads the baseline, so that what is wrong with it is told before anything is tried. @throws {@link UsageError} */
export function openGate(
  { baseline: file, updateBaseline = false }: BaselineOptions,
  profile: AnyProfile,
): Gate {
  if (file === undefined) {
    if (updateBaseline) throw new UsageError('--update-baseline: say which file: --baseline FILE')
    return (record) => record
  }
  const baseline = read(file, profile.id, updateBaseline)
  return (record) => {
    const held = heldOf(record, profile)
    const wanted = updateBaseline ? rewrite(file, baseline, record, held) : baseline
    return { ...record, baseline: holdAgainst(wanted, held) }
  }
}

function read(file: string, profile: string, isUpdated: boolean): Baseline {
  if (!existsSync(file)) {
    // A pipeline is written before there is anything to accept.
    if (!isUpdated)
      process.stderr.write(`${file} does not exist yet: it is taken as an empty baseline\n`)
    return emptyBaseline(profile)
  }
  try {
    return parseBaseline(readFileSync(file, 'utf8'), profile)
  } catch (error) {
    const hints = ['aoc run --baseline FILE --update-baseline writes one']
    if (error instanceof BaselineError) {
      throw new UsageError(`${file} is not a baseline: ${error.message}`, hints)
    }
    throw new UsageError(`cannot read the baseline ${file}: ${messageOf(error)}`, hints)
  }
}

function heldOf(record: UnfinishedRecord, catalogue: AnyProfile): Held {
  const { findings, strict, partial, finished } = record
  return { findings, strict, partial, catalogue, today: finished.slice(0, 10) }
}

/** Only a run that came to its end says what occurs. */
function rewrite(file: string, baseline: Baseline, record: UnfinishedRecord, held: Held): Baseline {
  const { interrupted, failures, findings } = record
  const nowhere = findings.every(({ verdict }) => verdict === 'inconclusive')
  if (interrupted || failures.length > 0 || nowhere) {
    process.stderr.write(`${file} was not changed: the run did not finish\n`)
    return baseline
  }
  const wanted = updated(baseline, held)
  writeAtomically(file, baselineJson(wanted))
  const unexplained = wanted.entries.filter(({ reason }) => reason === '').length
  const rest = unexplained > 0 ? `, ${unexplained} of them still without a reason` : ''
  process.stderr.write(`wrote ${file}: ${wanted.entries.length} known findings${rest}\n`)
  return wanted
}
