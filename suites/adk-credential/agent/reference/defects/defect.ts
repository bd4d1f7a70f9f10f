/** What a defect is: the reference agent with one of its steps done wrong, and everything else right. */

import type { Parts } from '../parts.ts'

export interface Defect {
  /** Kebab-case; never reused. */
  readonly id: string
  /** What the agent does instead, in one line. */
  readonly description: string
  /** The replaced steps; called once per instance of the agent, so what it remembers is its own. */
  readonly parts: (defaults: Parts) => Partial<Parts>
  /** Variables of its environment that are set otherwise. */
  readonly env?: Readonly<Record<string, string>>
}
