/** The faults that are switched on for one authorization, or for the issuer. */
import { faults, isFaultId, type FaultId, type FaultSpec } from './faults/index.ts'
import type { Fault, FaultEndpoint } from './faults/fault.ts'

export interface ActiveFault {
  readonly id: FaultId
  readonly fault: Fault
  readonly value: string | undefined
  /** Counts one firing. */
  spend(): void
}

export interface FaultSwitch {
  /** The ids that are switched on, used up or not. */
  readonly ids: readonly FaultId[]
  /**
   * Switches exactly these faults on, and lets them hold back again.
   * @throws TypeError for an unknown fault or one that cannot be switched here
   */
  set(specs: readonly FaultSpec[]): void
  /** The faults that are to fire now at this endpoint, in the order they were given. */
  active(endpoint: FaultEndpoint, grantType?: string): readonly ActiveFault[]
  /** Resolves once released, or when the signal aborts. */
  held(signal: AbortSignal): Promise<void>
  /** Lets everything held back go on, and holds nothing back until faults are set anew. */
  release(): void
}

type Scope = 'authorization' | 'issuer'

/** Creates a switch with nothing on. An issuer has the discovery faults, an authorization all others. */
export function createFaultSwitch(scope: Scope): FaultSwitch {
  let entries: Entry[] = []
  let gate = closedGate()
  return {
    get ids() {
      return entries.map(({ id }) => id)
    },
    set(specs) {
      entries = specs.map((spec) => entryOf(spec, scope))
      if (gate.opened) gate = closedGate()
    },
    active: (endpoint, grantType) =>
      entries.filter(
        ({ fault, left }) =>
          left > 0 &&
          fault.endpoint === endpoint &&
          (fault.grant === undefined || fault.grant === grantType) &&
          !(fault.hold && gate.opened),
      ),
    held: (signal) => Promise.race([gate.passage, aborted(signal)]),
    release: () => gate.open(),
  }
}

interface Entry extends ActiveFault {
  left: number
}

function entryOf(spec: FaultSpec, scope: Scope): Entry {
  const given = typeof spec === 'string' ? { fault: spec } : spec
  if (!isFaultId(given.fault)) throw new TypeError(`unknown fault: ${String(given.fault)}`)
  const fault: Fault = faults[given.fault]
  if ((fault.endpoint === 'discovery') !== (scope === 'issuer')) {
    throw new TypeError(`${given.fault} cannot be switched for one ${scope}`)
  }
  const entry: Entry = {
    id: given.fault,
    fault,
    value: given.value,
    left: given.times ?? Infinity,
    spend: () => void entry.left--,
  }
  return entry
}

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
