/** What was recorded in a whole run, scenario by scenario. */

import { perTranscript, Transcript, type RecordedEvent } from '../../harness/engine/index.ts'

/** The recordings of the scenarios, by their ids. */
export function partsOf(t: Transcript): ReadonlyMap<string, Transcript> {
  return split(t, 'by scenario')
}

const split = perTranscript((t) => {
  const parts = new Map<string, RecordedEvent[]>()
  for (const event of t.events) {
    const known = parts.get(event.scenario)
    if (known) known.push(event)
    else parts.set(event.scenario, [event])
  }
  return new Map([...parts].map(([id, events]) => [id, new Transcript(events)]))
})
