/**
 * Where a stream of server-sent events goes on when it ends before its time (Model Context Protocol, Transports,
 * Resumability: a server may close the connection of a stream whose events have ids, and is asked for the rest).
 */

import { setTimeout as delay } from 'node:timers/promises'
import { wireLimits } from './limits.ts'

/** Milliseconds after which a stream is opened again, where the server asks for no others; never sooner. */
const usualPause = 250

export class Position {
  #id = ''
  #pause = usualPause
  #left: number = wireLimits.resumptions
  #progress = 0

  /** Another connection of the stream is there. */
  opened(): void {
    this.#progress += 1
  }

  /** An event has come; one without an id changes nothing. */
  at(id: string | undefined): void {
    this.#id = id ?? this.#id
    this.#progress += 1
  }

  /** The server wants to be asked again no sooner than this (WHATWG HTML §9.2.6). */
  readonly notBefore = (ms: number): void => {
    this.#pause = Math.max(usualPause, ms)
  }

  /** Grows with everything that comes. */
  get progress(): number {
    return this.#progress
  }

  /** Whether there is a place to go on from. */
  get isKnown(): boolean {
    return this.#id !== ''
  }

  /** What asks for all that comes after it. */
  get headers(): Readonly<Record<string, string>> {
    return this.isKnown ? { 'last-event-id': this.#id } : {}
  }

  /** Waits until it may be asked for again; whether it may. */
  async pause(signal: AbortSignal): Promise<boolean> {
    this.#left -= 1
    if (this.#left < 0) return false
    await delay(this.#pause, undefined, { signal }).catch(() => undefined)
    return !signal.aborted
  }
}
