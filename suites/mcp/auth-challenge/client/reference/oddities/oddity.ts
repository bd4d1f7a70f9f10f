/** What an oddity is: the reference client in an unusual way, and still right. No verdict may change. */

import type { Parts } from '../parts.ts'

export interface Oddity {
  /** Kebab-case; never reused. */
  readonly id: string
  /** What the client does otherwise, in one line. */
  readonly description: string
  /** The page of MCP with the section that allows it. */
  readonly permitted: string
  /** Ids of the scenarios in which it shows; the gate and a few others are driven in any case. */
  readonly touches: readonly string[]
  /** The replaced steps; called once per instance of the client, so what it remembers is its own. */
  readonly parts?: (defaults: Parts) => Partial<Parts>
  /** Variables of its environment that are set otherwise; placeholders of the suite are filled in. */
  readonly env?: Readonly<Record<string, string>>
  /** What its vendor configures and declares otherwise. */
  readonly configuration?: Readonly<Record<string, unknown>>
}
