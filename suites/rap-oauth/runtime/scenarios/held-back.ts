/** What a tool or the model answers only when a scenario releases it. */

export interface HeldBack<T> {
  readonly held: Promise<T>
  readonly release: (value: T) => void
}

export function heldBack<T = void>(): HeldBack<T> {
  let release: (value: T) => void = () => undefined
  const held = new Promise<T>((resolve) => (release = resolve))
  return { held, release }
}
