/** The table of every fault of the mock provider. */
import { authorizeFaults } from './authorize-faults.ts'
import { discoveryFaults } from './discovery-faults.ts'
import type { FaultScope } from './fault-scope.ts'
import { introspectionFaults } from './introspection-faults.ts'
import { keysFaults } from './keys-faults.ts'
import { pushedRequestFaults } from './pushed-request-faults.ts'
import { registrationFaults } from './registration-faults.ts'
import { resourceFaults } from './resource-faults.ts'
import { tokenFaults } from './token-faults.ts'

/** Every fault by its id, which reads `endpoint-what`. */
export const faults = {
  ...authorizeFaults,
  ...tokenFaults,
  ...introspectionFaults,
  ...resourceFaults,
  ...discoveryFaults,
  ...keysFaults,
  ...registrationFaults,
  ...pushedRequestFaults,
} as const

/** The id of a fault. */
export type FaultId = keyof typeof faults

/** A fault to switch on: its id, or its id with how often it fires and the value it uses. */
export type FaultSpec =
  | FaultId
  | {
      readonly fault: FaultId
      /** Fires for that many requests only; always, unless given. */
      readonly times?: number | undefined
      /** What the description of the fault calls its value. */
      readonly value?: string | undefined
    }

/** A fault and for whom it is switched on; for the whole issuer unless told. */
export type ScopedFaultSpec =
  FaultSpec | (Exclude<FaultSpec, string> & { readonly scope?: FaultScope | undefined })

/** Tells whether a string is the id of a fault. */
export function isFaultId(id: string): id is FaultId {
  return Object.hasOwn(faults, id)
}
