/** Deliberate violations by this server, one at a time: what a conformance suite must notice. `varied.ts` runs one. */

import type { Defect } from './variation.ts'

export const defects: readonly Defect[] = []
