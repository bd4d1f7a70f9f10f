/** What a tool or the model answers only when a scenario releases it. */

import { setTimeout as delay } from 'node:timers/promises'

export interface HeldBack<T> {
  readonly held: Promise<T>
  readonly release: (value: T) => void
}

export function heldBack<T = void>(): HeldBack<T> {
  let release: (value: T) => void = () => undefined
  const held = new Promise<T>((resolve) => (release = resolve))
  return { held, release }
}

/** Waits for the answer to a message: up to `ms`, as a runtime may hold it until its invocation is acknowledged. */
export async function waitUpTo(ms: number, message: Promise<unknown>): Promise<void> {
  await Promise.race([message, delay(ms, undefined, { ref: false })])
}
