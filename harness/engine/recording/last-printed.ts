/** What an implementation printed last: why it did not start usually stands there. */

import { printable } from '../text.ts'
import type { RecordedEvent } from './event.ts'

/** The last lines of output among these events, which hold no secrets: enough for a stack with its message above it. */
export function lastPrinted(events: readonly RecordedEvent[], count = 20): string[] {
  return events
    .flatMap((event) => (event.type === 'output' ? [`${event.source}: ${event.text}`] : []))
    .slice(-count)
    .map((line) => printable(line, 300))
}
