/** Where requests are held back, until they are released. Gates belong to this process, as connections do. */
import { BoundedMap } from './bounded.ts'

export interface Gates {
  isOpen(name: string): boolean
  /** Resolves once the gate is opened, or when the signal aborts. */
  passage(name: string, signal: AbortSignal): Promise<void>
  /** Lets everything held back go on, and holds nothing back until the gate is closed again. */
  open(name: string): void
  openAll(): void
  /** Lets everything go on and closes every gate behind it. */
  closeAll(): void
  close(name: string): void
}

/** Creates gates that are all closed, and remembers so many. */
export function createGates(most: number): Gates {
  const gates = new BoundedMap<string, Gate>(most)
  const gateOf = (name: string) => {
    const known = gates.get(name)
    if (known) return known
    const gate = closedGate()
    gates.set(name, gate)
    return gate
  }
  return {
    isOpen: (name) => gates.get(name)?.opened ?? false,
    passage: (name, signal) => Promise.race([gateOf(name).passage, aborted(signal)]),
    open: (name) => gateOf(name).open(),
    openAll: () => gates.forEach((gate) => gate.open()),
    closeAll() {
      gates.forEach((gate) => gate.open())
      gates.clear()
    },
    close(name) {
      if (gates.get(name)?.opened !== false) gates.set(name, closedGate())
    },
  }
}

type Gate = ReturnType<typeof closedGate>

function closedGate() {
  let letThrough = () => {}
  const passage = new Promise<void>((resolve) => (letThrough = resolve))
  const gate = {
    opened: false,
    passage,
    open() {
      gate.opened = true
      letThrough()
    },
  }
  return gate
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
