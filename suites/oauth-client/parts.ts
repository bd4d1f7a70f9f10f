/** What was recorded in a whole run, scenario by scenario. */

import { Transcript, type RecordedEvent } from '../../harness/engine/index.ts'

export function partsOf(t: Transcript): Map<string, Transcript> {
  const parts = new Map<string, RecordedEvent[]>()
  for (const event of t.events) {
    const known = parts.get(event.scenario)
    if (known) known.push(event)
    else parts.set(event.scenario, [event])
  }
  return new Map([...parts].map(([id, events]) => [id, new Transcript(events)]))
}
