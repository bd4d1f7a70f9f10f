/**
 * Lawful variations of this tool, one at a time: what a conformance suite must not hold against it.
 * `varied.ts` runs the tool with one of them.
 */

import { callbackOddities } from './oddities/callback.ts'
import { limitOddities } from './oddities/limits.ts'
import { messageOddities } from './oddities/messages.ts'
import type { Oddity } from './oddities/oddity.ts'
import { providerOddities } from './oddities/provider.ts'
import { upstreamOddities } from './oddities/upstream.ts'

export type { Oddity } from './oddities/oddity.ts'

export const oddities: readonly Oddity[] = [
  ...messageOddities,
  ...providerOddities,
  ...callbackOddities,
  ...upstreamOddities,
  ...limitOddities,
]
