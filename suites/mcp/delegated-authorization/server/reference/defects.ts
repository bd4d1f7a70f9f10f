/** Deliberate violations by this server, one at a time: what a conformance suite must notice. `varied.ts` runs one. */

import { accessDefects } from './defects/access.ts'
import { answerDefects } from './defects/answers.ts'
import { askingDefects } from './defects/asking.ts'
import { tokenDefects } from './defects/tokens.ts'
import type { Defect } from './variation.ts'

export const defects: readonly Defect[] = [
  ...askingDefects,
  ...answerDefects,
  ...tokenDefects,
  ...accessDefects,
]
