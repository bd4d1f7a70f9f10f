/**
 * Deliberate defects of this server, one at a time: what a conformance suite has to notice, and what
 * an integrator may want to see it notice. `varied.ts` runs the server with one of them.
 */

import { accessDefects } from './defects/access.ts'
import { answerDefects } from './defects/answers.ts'
import { askingDefects } from './defects/asking.ts'
import { authorizationDefects } from './defects/authorization.ts'
import type { Defect } from './defects/defect.ts'
import { formDefects } from './defects/forms.ts'
import { leakDefects } from './defects/leaks.ts'
import { shortcutDefects } from './defects/shortcuts.ts'
import { tokenDefects } from './defects/tokens.ts'
import { unjudged } from './defects/unjudged.ts'

export type { Defect } from './defects/defect.ts'

/** Those that nothing judges by now included. */
export const allDefects: readonly Defect[] = [
  ...askingDefects,
  ...formDefects,
  ...answerDefects,
  ...shortcutDefects,
  ...accessDefects,
  ...authorizationDefects,
  ...tokenDefects,
  ...leakDefects,
]

export const defects: readonly Defect[] = allDefects.filter(({ id }) => !unjudged.has(id))
