/** The append-only, bounded log of a provider. */
import { boundedList } from './bounded.ts'
import type { EventDetail, EventEnvelope, ProviderEvent } from './events.ts'
import { listeners } from './listeners.ts'

export interface EventLog {
  readonly events: readonly ProviderEvent[]
  /** Numbers the next exchange. */
  nextExchange(): number
  append(envelope: Omit<EventEnvelope, 'seq' | 'at'>, detail: EventDetail): void
  /** Forgets every event; numbers go on counting. */
  clear(): void
  onEvent(listener: (event: ProviderEvent) => void): () => void
}

/** Creates an empty log that keeps so many characters of events. */
export function createEventLog(most: number): EventLog {
  const list = boundedList<ProviderEvent>(most, (event) => JSON.stringify(event).length)
  const { add, notify } = listeners<ProviderEvent>()
  let seq = 0
  let exchanges = 0
  return {
    events: list.entries,
    nextExchange: () => ++exchanges,
    append(envelope, detail) {
      const at = performance.timeOrigin + performance.now()
      const event: ProviderEvent = { seq: ++seq, at, ...envelope, ...detail }
      list.push(event)
      notify(event)
    },
    clear: () => list.clear(),
    onEvent: add,
  }
}
