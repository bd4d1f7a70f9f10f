/** The append-only, bounded log of a provider. */
import { boundedList } from '../storage/bounded.ts'
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

const { timeOrigin } = performance

/** Creates an empty log that keeps so many characters of events. */
export function createEventLog(most: number): EventLog {
  const list = boundedList<ProviderEvent>(most, charactersOf)
  const { add, notify } = listeners<ProviderEvent>()
  let seq = 0
  let exchanges = 0
  return {
    events: list.entries,
    nextExchange: () => ++exchanges,
    append({ exchange, endpoint, authorization }, detail) {
      const at = timeOrigin + performance.now()
      const event: ProviderEvent = { seq: ++seq, at, exchange, endpoint, authorization, ...detail }
      list.push(event)
      notify(event)
    },
    clear: () => list.clear(),
    onEvent: add,
  }
}

/** About how many characters a value is written with. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let characters = 2
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any member may be read
  const members = value as Readonly<Record<string, unknown>>
  for (const name in members) characters += name.length + 4 + charactersOf(members[name])
  return characters
}
