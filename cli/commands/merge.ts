/** `aoc merge`: joins the shards of a run into the record that one run would have written. */

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newRunId, printable } from '../../harness/engine/index.ts'
import {
  mergeShards,
  readStoredRun,
  resultsJson,
  RunRecordError,
  sha256,
  transcriptFile,
  transcriptFolder,
  transcriptLines,
  writeAtomically,
  type Merged,
  type StoredShard,
} from '../../reports/index.ts'
import { openGate, type BaselineOptions } from '../outcome/baseline-gate.ts'
import { findProfile } from '../configuration/configure.ts'
import { exitOf } from '../outcome/decide-exit.ts'
import { claimOutputFolder } from '../outcome/output-folder.ts'
import { printResult } from '../print/print-result.ts'
import { selectionOf } from '../running/selection.ts'
import { storeRun } from '../outcome/store-run.ts'
import { writeJson } from '../print/json.ts'
import { terminalOf } from '../print/terminal.ts'
import { UsageError } from '../input/usage-error.ts'

export interface MergeCommandOptions extends BaselineOptions {
  readonly output?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Joins, judges, stores and prints; returns the exit code. @throws {@link UsageError} */
export function merge(paths: readonly string[], options: MergeCommandOptions): number {
  const { json = false, quiet = false } = options
  return refusing(() => {
    const shards = paths.map(readShard)
    const profile = findProfile(shards[0]?.record.profile)
    const gate = openGate(options, profile)
    const run = newRunId()
    if (paths.some((path) => resolve(path) === resolve(options.output ?? ''))) {
      throw new UsageError(`--output ${options.output}: it is one of the shards`)
    }
    const folder = claimOutputFolder(options.output ?? join('aoc-results', run))
    try {
      mkdirSync(join(folder.path, transcriptFolder), { recursive: true })
      const merged = mergeShards(shards, {
        run,
        profile,
        store(scenario, transcript) {
          const file = transcriptFile(scenario)
          const content = transcriptLines(transcript, scenario)
          writeAtomically(join(folder.path, file), content)
          return { file, digest: sha256(content) }
        },
      })
      const record = completed(merged, gate)
      storeRun(folder.path, record, merged.transcripts)
      const terminal = terminalOf(json ? process.stderr : process.stdout)
      printResult(terminal, record, merged.transcripts, { folder: folder.path, quiet })
      if (json) writeJson(resultsJson(record))
      return record.exit.code
    } finally {
      folder.release()
    }
  })
}

function completed({ record }: Merged, gate: ReturnType<typeof openGate>) {
  const held = gate(record)
  return { ...held, exit: exitOf(held) }
}

function readShard(path: string): StoredShard {
  const stored = readStoredRun(path)
  const { profile, partial } = stored.record
  const { judged } = selectionOf(findProfile(profile, path), partial)
  return { ...stored, path, judged }
}

function refusing(act: () => number): number {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof RunRecordError)) throw error
    throw new UsageError(printable(error.message, 600), [
      'expected the folders of all shards of one run: aoc run --shard 1/N ... N/N',
    ])
  }
}
