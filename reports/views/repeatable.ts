/** Says whether a recorded request can be sent once more: only where the implementation that took it still runs. */

import type { RequestEvent } from '../../harness/engine/index.ts'
import type { RunRecord } from '../record/run-record.ts'

/** Name of the fact that the implementation was left running (`--keep`). */
export const keptFact = 'kept'
/** The fact that names what outlived the run, as `PID COMMAND`. */
export const leftRunningFact = 'leftRunning'

/** A URL that was running before the run, or the instance that the run left behind. */
export function isRepeatable(
  { configuration, facts }: Pick<RunRecord, 'configuration' | 'facts'>,
  { url }: RequestEvent,
): boolean {
  const target = (configuration['target'] ?? {}) as Readonly<Record<string, unknown>>
  const ours = target['command'] !== undefined || target['module'] !== undefined
  if (!ours) return target['url'] !== undefined
  return typeof facts[keptFact] === 'string' && originOf(facts[keptFact]) === originOf(url)
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}
