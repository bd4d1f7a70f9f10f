/** Shows what an implementation that could not be reached printed last: usually the reason stands there. */

import { join } from 'node:path'
import {
  lastPrinted,
  parseTranscript,
  readRegularFile,
  runLog,
} from '../../harness/engine/index.ts'
import { transcriptFile } from '../../reports/index.ts'

/** The last lines of its output, from the stored recording, which is redacted. */
export function lastOutput(folder: string): string[] {
  try {
    const stored = readRegularFile(join(folder, transcriptFile(runLog)))
    return lastPrinted(parseTranscript(stored, runLog).events)
  } catch {
    return []
  }
}
