/** Reads what a run left in its folder: the run record, and the transcripts that it names by digest. */

import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTranscript, runLog, type Transcript } from '../../harness/engine/index.ts'
import { sha256 } from './catalogue.ts'
import { readResults } from '../views/results-json.ts'
import { RunRecordError, type RunRecord } from './run-record.ts'

/** A run as it was read back from its folder. */
export interface StoredRun {
  readonly record: RunRecord
  /** By scenario; what belongs to no scenario stands under `run`. */
  readonly transcripts: ReadonlyMap<string, Transcript>
}

/** Folder of a run in which its transcripts are stored. */
export const transcriptFolder = 'transcripts'

/** Where the transcript of a scenario is stored, relative to the folder of the run. */
export function transcriptFile(scenario: string): string {
  return `${transcriptFolder}/${scenario}.jsonl`
}

/**
 * Reads a stored run; every transcript must be exactly the file that the record names.
 * @throws {@link RunRecordError} for a record or a transcript that is missing, changed or cut
 */
export function readStoredRun(folder: string): StoredRun {
  const record = readResults(join(folder, 'results.json'))
  const named = [
    ...record.scenarios.map(({ id, transcript }) => ({ id, stored: transcript })),
    { id: runLog, stored: record.log },
  ]
  const transcripts = named.flatMap(({ id, stored }) =>
    stored ? [[id, readTranscript(folder, id, stored)] as const] : [],
  )
  return { record, transcripts: new Map(transcripts) }
}

function readTranscript(
  folder: string,
  scenario: string,
  { file, digest }: { readonly file: string; readonly digest: string },
): Transcript {
  const refuse = (why: string): never => {
    throw new RunRecordError(`${join(folder, transcriptFile(scenario))}: ${why}`)
  }
  if (file !== transcriptFile(scenario)) {
    refuse(`the run record names ${JSON.stringify(file).slice(0, 200)} instead`)
  }
  const content = readFile(join(folder, file), refuse)
  if (sha256(content) !== digest) {
    refuse('it is not what the run recorded: its digest differs from the one in results.json')
  }
  try {
    return parseTranscript(content.toString('utf8'), scenario)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

/** A link could lead out of the folder. */
function readFile(path: string, refuse: (why: string) => never): Buffer {
  try {
    if (!lstatSync(path).isFile()) return refuse('it is not a plain file')
    return readFileSync(path)
  } catch (error) {
    if (error instanceof RunRecordError) throw error
    const { code } = error as NodeJS.ErrnoException
    return refuse(code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${code}`)
  }
}
