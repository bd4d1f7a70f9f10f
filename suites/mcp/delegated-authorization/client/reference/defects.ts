/** Deliberate violations by this client, one at a time: what a conformance suite must notice. `varied.ts` runs one. */

import { callbackDefects } from './defects/callback.ts'
import { consentDefects } from './defects/consent.ts'
import type { Defect } from './variation.ts'

export const defects: readonly Defect[] = [...consentDefects, ...callbackDefects]
