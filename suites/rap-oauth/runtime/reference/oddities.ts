/**
 * Lawful variations of this runtime, one at a time: what a conformance suite must not hold against it.
 * `varied.ts` runs the runtime with one of them.
 */

import { callOddities } from './oddities/calls.ts'
import { invocationOddities } from './oddities/invocation.ts'
import { messageOddities } from './oddities/messages.ts'
import type { Oddity } from './oddities/oddity.ts'
import { surfaceOddities } from './oddities/surface.ts'

export type { Oddity } from './oddities/oddity.ts'

export const oddities: readonly Oddity[] = [
  ...invocationOddities,
  ...messageOddities,
  ...callOddities,
  ...surfaceOddities,
]
