/** What a defect is: the reference client with one of its steps done wrong, and everything else right. */

import type { Parts } from '../parts.ts'

export interface Defect {
  /** Kebab-case; never reused. */
  readonly id: string
  /** What the client does instead, in one line. */
  readonly description: string
  /** The replaced steps; called once per instance of the client, so what it remembers is its own. */
  readonly parts: (defaults: Parts) => Partial<Parts>
}
