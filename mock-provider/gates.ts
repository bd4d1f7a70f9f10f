/** Where requests are held back, until they are released. Gates belong to this process, as connections do. */
import { BoundedMap } from './bounded.ts'
import { limits } from './limits.ts'

export interface Gates {
  isOpen(name: string): boolean
  /** Resolves once the gate is opened, or when the signal aborts. */
  passage(name: string, signal: AbortSignal): Promise<void>
  /** Lets everything held back go on, and holds nothing back until the gate is closed again. */
  open(name: string): void
  openAll(): void
  close(name: string): void
}

/** Creates gates that are all closed. */
export function createGates(): Gates {
  const gates = new BoundedMap<string, Gate>(limits.gates)
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
