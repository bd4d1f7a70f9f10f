/** Deliberate violations by this server, one at a time: what a conformance suite must notice. `varied.ts` runs one. */

import { accessDefects } from './defects/access.ts'
import { callerDefects } from './defects/callers.ts'
import { certificateDefects } from './defects/certificates.ts'
import { challengeDefects } from './defects/challenge.ts'
import { forgedDefects } from './defects/forged.ts'
import { metadataDefects } from './defects/metadata.ts'
import { tokenDefects } from './defects/tokens.ts'
import type { Defect } from './variation.ts'

export const defects: readonly Defect[] = [
  ...challengeDefects,
  ...metadataDefects,
  ...accessDefects,
  ...tokenDefects,
  ...forgedDefects,
  ...callerDefects,
  ...certificateDefects,
]
