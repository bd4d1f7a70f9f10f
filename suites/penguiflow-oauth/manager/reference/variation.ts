/** The manager with one of its steps done otherwise: what it does is Python, what it is called stands here. */

export interface Defect {
  /** Kebab-case; never reused. */
  readonly id: string
  /** What the manager does instead, in one line. */
  readonly description: string
}

/** A defect that is none. */
export interface Oddity extends Defect {
  /** What allows it. */
  readonly permitted: string
  /** Scenarios in which it shows. */
  readonly touches: readonly string[]
  /** What its run is configured with. */
  readonly configuration?: Readonly<Record<string, unknown>>
}
