/** The faults that are switched on, one list for each scope. */
import { collectionOf } from '../storage/collection.ts'
import { chain, type MaybePromise } from '../storage/maybe-promise.ts'
import type { Storage } from '../storage/storage.ts'
import { valueProblem } from './fault-value.ts'
import { isFaultScope, type FaultScope } from './fault-scope.ts'
import { isAnonymous, type Fault, type FaultEndpoint } from './fault.ts'
import { createGates } from './gates.ts'
import { faults, isFaultId, type FaultId, type FaultSpec } from './index.ts'

export interface ActiveFault {
  readonly id: FaultId
  readonly fault: Fault
  readonly value: string | undefined
  readonly scope: FaultScope
  /** Counts one firing; false when another request used the last one up. */
  spend(): Promise<boolean>
}

export interface FaultSwitch {
  /** The ids that are switched on, used up or not. */
  ids(scope: FaultScope): MaybePromise<readonly FaultId[]>
  /**
   * Switches exactly these faults on, and lets them hold back again.
   * @throws TypeError for an unknown fault or scope, or one that cannot be switched for this scope
   */
  set(scope: FaultScope, specs: readonly FaultSpec[]): MaybePromise<void>
  /** Everything that is switched on. */
  list(): Promise<readonly SwitchedFault[]>
  /** The faults that are to fire now at this endpoint, in the order they were given. */
  active(
    scopes: readonly FaultScope[],
    endpoint: FaultEndpoint,
    grantType?: string,
  ): MaybePromise<readonly ActiveFault[]>
  /** Resolves once released, or when the signal aborts. */
  held(scope: FaultScope, signal: AbortSignal): Promise<void>
  /** Lets everything held back go on, and holds nothing back until faults are set anew. */
  release(scope: FaultScope): void
  releaseAll(): void
  /** Switches everything off and lets it go on. */
  clear(): Promise<void>
}

/** A fault that is switched on. */
export interface SwitchedFault {
  readonly scope: FaultScope
  readonly fault: FaultId
  readonly value?: string | undefined
  /** How often it fires yet; always, unless given. */
  readonly times?: number | undefined
}

/** A fault that is switched on, as it is kept. */
interface Entry {
  readonly scope: FaultScope
  readonly id: FaultId
  readonly value?: string | undefined
  /** How often it fires yet; always, unless given. */
  readonly left?: number | undefined
}

export interface FaultSwitchOptions {
  readonly storage: Storage
  /** Milliseconds that an authorization is kept, and its faults with it. */
  readonly retention: number
  /** The most gates that are remembered. */
  readonly gates: number
  /** The most requests that are held back at a time. */
  readonly held: number
}

/** Creates a switch with nothing on. */
export function createFaultSwitch(options: FaultSwitchOptions): FaultSwitch {
  const { storage, retention } = options
  const lists = collectionOf<readonly Entry[]>(storage, 'faults')
  const gates = createGates(options.gates, options.held)
  const spend = async (scope: FaultScope, index: number, id: FaultId) => {
    const before = await lists.update(scope, (list) => spent(list, index, id))
    const entry = before?.[index]
    return entry?.id === id && entry.left !== 0
  }
  const activeFault =
    (scope: FaultScope, endpoint: FaultEndpoint, grantType: string | undefined) =>
    ({ id, value, left }: Entry, index: number): readonly ActiveFault[] => {
      const fault: Fault = faults[id]
      const fires =
        left !== 0 &&
        fault.endpoint === endpoint &&
        (fault.grant === undefined || fault.grant === grantType) &&
        !(fault.hold && gates.isOpen(scope))
      if (!fires) return []
      const counts = left !== undefined
      return [{ id, fault, value, scope, spend: async () => !counts || spend(scope, index, id) }]
    }
  return {
    ids: (scope) => chain(lists.get(scope), (list) => list?.map(({ id }) => id) ?? []),
    set(scope, specs) {
      const list = specs.map((spec) => entryOf(spec, scope))
      gates.close(scope)
      return lists.set(scope, list, scope.startsWith('authorization:') ? retention : undefined)
    },
    active(scopes, endpoint, grantType) {
      const found = scopes.map((scope) => lists.get(scope))
      if (found.every((list) => list === undefined)) return []
      const firing = async (scope: FaultScope, index: number) =>
        (await found[index])?.flatMap(activeFault(scope, endpoint, grantType)) ?? []
      return Promise.all(scopes.map(firing)).then((each) => each.flat())
    },
    list: async () =>
      (await lists.list()).flatMap((list) =>
        list.map(({ id, value, left, scope }) => ({ scope, fault: id, value, times: left })),
      ),
    held: (scope, signal) => gates.passage(scope, signal),
    release: (scope) => gates.open(scope),
    releaseAll: () => gates.openAll(),
    async clear() {
      gates.closeAll()
      await storage.clear('faults')
    },
  }
}

/** The list with one firing fewer left, unless it was replaced or used up meanwhile. */
function spent(list: readonly Entry[], index: number, id: FaultId): readonly Entry[] {
  const entry = list[index]
  if (entry?.id !== id || !entry.left) return list
  return list.with(index, { ...entry, left: entry.left - 1 })
}

function entryOf(spec: FaultSpec, scope: FaultScope): Entry {
  const given = typeof spec === 'string' ? { fault: spec } : spec
  if (!isFaultId(given.fault)) throw new TypeError(`unknown fault: ${String(given.fault)}`)
  const fault: Fault = faults[given.fault]
  if (!isFaultScope(scope)) throw new TypeError(`unknown scope: ${String(scope)}`)
  if (isAnonymous(fault) && scope !== 'issuer' && scope !== 'next') {
    throw new TypeError(`${given.fault} can be switched for the issuer or the next request only`)
  }
  const problem = valueProblem(given.fault, given.value)
  if (problem !== undefined) throw new TypeError(problem)
  const left = given.times ?? (scope === 'next' ? 1 : undefined)
  return { scope, id: given.fault, value: given.value, left }
}
