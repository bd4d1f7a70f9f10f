/** Where requests are held back, until they are released. Gates belong to this process, as connections do. */
import { OAuthError } from '../http/oauth-error.ts'
import { BoundedMap } from '../storage/bounded.ts'

export interface Gates {
  isOpen(name: string): boolean
  /**
   * Resolves once the gate is opened, or when the signal aborts.
   * @throws OAuthError when too many requests are held back already (RFC 6585 §4)
   */
  passage(name: string, signal: AbortSignal): Promise<void>
  /** Lets everything held back go on, and holds nothing back until the gate is closed again. */
  open(name: string): void
  openAll(): void
  /** Lets everything go on and closes every gate behind it. */
  closeAll(): void
  close(name: string): void
}

/** Creates gates that are all closed; remembers so many, and holds back so many requests. */
export function createGates(most: number, mostHeld: number): Gates {
  const gates = new BoundedMap<string, Gate>(most)
  let held = 0
  const gateOf = (name: string) => {
    const known = gates.get(name)
    if (known) return known
    const gate = closedGate()
    gates.set(name, gate)
    return gate
  }
  return {
    isOpen: (name) => gates.get(name)?.opened ?? false,
    async passage(name, signal) {
      if (held >= mostHeld) throw tooMany()
      held++
      await Promise.race([gateOf(name).passage, aborted(signal)])
      held--
    },
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

const tooMany = () =>
  new OAuthError('temporarily_unavailable', 'too many requests are held back', {
    status: 429,
    headers: { 'retry-after': '1' },
  })

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
