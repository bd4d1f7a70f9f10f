/** The append-only, bounded log of a provider. */
import { boundedList } from './bounded.ts'
import type { EventDetail, EventEnvelope, ProviderEvent } from './events.ts'
import { limits } from './limits.ts'
import { listeners } from './listeners.ts'

export interface EventLog {
  readonly events: readonly ProviderEvent[]
  /** Numbers the next exchange. */
  nextExchange(): number
  append(envelope: Omit<EventEnvelope, 'seq' | 'at'>, detail: EventDetail): void
  onEvent(listener: (event: ProviderEvent) => void): () => void
}

/** Creates an empty log, bounded by `limits.eventCharacters`. */
export function createEventLog(): EventLog {
  const list = boundedList<ProviderEvent>(
    limits.eventCharacters,
    (event) => JSON.stringify(event).length,
  )
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
    onEvent: add,
  }
}
