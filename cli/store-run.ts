/** Writes what a run leaves behind: the run record, the JUnit report, and the digests of the transcripts. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  junitXml,
  resultsJson,
  sha256,
  transcriptFile,
  writeAtomically,
  type RunRecord,
  type Transcripts,
} from '../reports/index.ts'

/** The stored transcripts of these scenarios, with their digests. */
export function storedTranscripts(folder: string, scenarios: readonly string[]) {
  const files = scenarios
    .map((scenario) => [scenario, transcriptFile(scenario)] as const)
    .filter(([, file]) => existsSync(join(folder, file)))
    .map(
      ([scenario, file]) =>
        [scenario, { file, digest: sha256(readFileSync(join(folder, file))) }] as const,
    )
  return new Map(files)
}

/** `results.json` comes last: where it stands, the rest is complete. */
export function storeRun(folder: string, record: RunRecord, transcripts: Transcripts): void {
  writeAtomically(join(folder, 'junit.xml'), junitXml(record, transcripts))
  writeAtomically(join(folder, 'results.json'), resultsJson(record))
}
