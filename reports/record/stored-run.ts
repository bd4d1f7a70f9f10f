/** Reads what a run left in its folder: the run record, and the transcripts that it names by digest. */

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import {
  parseTranscript,
  readRegularBytes,
  runLog,
  type Transcript,
} from '../../harness/engine/index.ts'
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

const scenarioName = /^[a-z0-9]+([-_][a-z0-9]+)*$/

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
  if (lstatSync(join(folder, transcriptFolder), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new RunRecordError(`${join(folder, transcriptFolder)} is a link`)
  }
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
  // It becomes the name of a file.
  if (!scenarioName.test(scenario)) refuse('there is no scenario with this name')
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

/** A link could lead out of the folder, and a pipe would never end. */
function readFile(path: string, refuse: (why: string) => never): Buffer {
  try {
    return readRegularBytes(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) return refuse(message)
    return refuse(code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${code}`)
  }
}
