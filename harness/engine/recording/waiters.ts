/** Who waits for something in a recording, and about what: only those whom a new event may concern look again. */

import type { RecordedEvent } from './event.ts'
import { anything, topicsOf, type Topic } from './event-log.ts'

/** Looks again. */
export type Waiter = () => void

export class Waiters {
  readonly #topics = new Map<Waiter, Set<Topic>>()
  readonly #waiters = new Map<Topic, Set<Waiter>>()

  /** From now on the waiter is asked after events of this topic, too. */
  add(waiter: Waiter, topic: Topic): void {
    setOf(this.#topics, waiter).add(topic)
    setOf(this.#waiters, topic).add(waiter)
  }

  /** Whoever asked nothing of the recording is asked after every event. */
  keep(waiter: Waiter): void {
    if (!this.#topics.has(waiter)) this.add(waiter, anything)
  }

  remove(waiter: Waiter): void {
    for (const topic of this.#topics.get(waiter) ?? []) {
      const others = this.#waiters.get(topic)
      others?.delete(waiter)
      if (others?.size === 0) this.#waiters.delete(topic)
    }
    this.#topics.delete(waiter)
  }

  /** Asks everybody whom the event may concern, each once; its end concerns all. */
  tell(event: RecordedEvent): void {
    for (const waiter of event.type === 'end' ? [...this.#topics.keys()] : this.#concerned(event)) {
      // Another one may have ended its waiting.
      if (this.#topics.has(waiter)) waiter()
    }
  }

  #concerned(event: RecordedEvent): Set<Waiter> {
    if (this.#topics.size === 0) return new Set()
    const topics = [anything, ...topicsOf(event)]
    return new Set(topics.flatMap((topic) => [...(this.#waiters.get(topic) ?? [])]))
  }
}

function setOf<Key, Member>(sets: Map<Key, Set<Member>>, key: Key): Set<Member> {
  const known = sets.get(key) ?? new Set<Member>()
  sets.set(key, known)
  return known
}
