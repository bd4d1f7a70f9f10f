/** Writes what a run leaves behind: the run record, the usual reports, and the digests of the transcripts. */

import { join } from 'node:path'
import {
  readRegularFile,
  storedForm,
  type HarnessFailure,
  type Transcript,
} from '../../harness/engine/index.ts'
import {
  formatNames,
  renderers,
  resultsJson,
  sha256,
  transcriptFile,
  writeAtomically,
  type RunRecord,
  type Transcripts,
} from '../../reports/index.ts'

/** The stored transcripts of these scenarios, with their digests; what is no file is none. */
export function storedTranscripts(folder: string, scenarios: readonly string[]) {
  const files = scenarios
    .map((scenario) => [scenario, transcriptFile(scenario)] as const)
    .flatMap(([scenario, file]) => {
      const content = contentOf(join(folder, file))
      return content === undefined ? [] : [[scenario, { file, digest: sha256(content) }] as const]
    })
  return new Map(files)
}

/** A failure for each recording that is not stored as it was made: nobody could judge it again. */
export function alteredRecordings(folder: string, recorded: ReadonlyMap<string, Transcript>) {
  return [...recorded].flatMap(([scenario, transcript]): HarnessFailure[] => {
    const content = contentOf(join(folder, transcriptFile(scenario)))
    if (content === storedForm(scenario, transcript)) return []
    const what =
      content === undefined ? 'was deleted or replaced' : 'was changed by another program'
    return [{ scenario, message: `the recording of this scenario ${what} while the run lasted` }]
  })
}

function contentOf(file: string): string | undefined {
  try {
    return readRegularFile(file)
  } catch {
    return undefined
  }
}

/** Reports that every run leaves; `aoc report` makes the others. */
const usual = ['html', 'markdown', 'junit'] as const

/** `results.json` comes last: where it stands, the rest is complete. */
export function storeRun(folder: string, record: RunRecord, transcripts: Transcripts): void {
  for (const id of usual) {
    writeAtomically(join(folder, formatNames[id].file), renderers[id](record, transcripts))
  }
  writeAtomically(join(folder, 'results.json'), resultsJson(record))
}
