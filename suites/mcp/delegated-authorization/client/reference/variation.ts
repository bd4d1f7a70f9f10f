/** What a defect and an oddity are: this client with some of its steps done otherwise. */

import type { Parts } from './parts.ts'

export interface Variation {
  /** Kebab-case; never reused. */
  readonly id: string
  /** What the client does otherwise, in one line. */
  readonly description: string
  /** The replaced steps; called once per instance of the client, so what it remembers is its own. */
  readonly parts?: (defaults: Parts) => Partial<Parts>
  /** Variables of its environment that are set otherwise. */
  readonly env?: Readonly<Record<string, string>>
  /** What its vendor configures and declares otherwise. */
  readonly configuration?: Readonly<Record<string, unknown>>
}

/** A violation: what it turns is declared in `proof/expected.ts`. */
export type Defect = Variation & Required<Pick<Variation, 'parts'>>

/** A lawful variation. No verdict may change. */
export interface Oddity extends Variation {
  /** The document with the section that allows it. */
  readonly permitted: string
  /** Ids of the scenarios in which it shows; the gate and a few others are driven in any case. */
  readonly touches: readonly string[]
}
