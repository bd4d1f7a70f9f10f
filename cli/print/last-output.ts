/** Shows what an implementation that could not be reached printed last: usually the reason stands there. */

import { join } from 'node:path'
import { eventSchema, printable, readRegularFile, runLog } from '../../harness/engine/index.ts'

/** The last lines of its output, from the stored recording, which is redacted. */
export function lastOutput(folder: string, count = 8): string[] {
  try {
    const lines = readRegularFile(join(folder, 'transcripts', `${runLog}.jsonl`))
      .trim()
      .split('\n')
    return lines
      .slice(1)
      .map((line) => eventSchema.parse(JSON.parse(line)))
      .flatMap((event) => (event.type === 'output' ? [`${event.source}: ${event.text}`] : []))
      .slice(-count)
      .map((line) => printable(line, 300))
  } catch {
    return []
  }
}
