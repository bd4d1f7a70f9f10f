/** What the proof knows of a profile: its reference implementation, the variations of that, and what they turn. */

import type { AnyProfile } from '../../harness/engine/index.ts'

type Settings = Readonly<Record<string, unknown>>

/** A reference implementation with one of its steps done otherwise, as `reference/` declares it. */
export interface Variation {
  readonly id: string
  readonly description: string
  /** Variables of its environment that are set otherwise. */
  readonly env?: Readonly<Record<string, string>>
  /** What its vendor configures otherwise. */
  readonly configuration?: Settings
}

/** What a defect does to the verdicts, no more and no less: `proof/expected.ts`. */
export interface Expectation {
  /** Requirements of which at least one check must fail or warn. */
  readonly turns: readonly string[]
  /** Further requirements of which a check may stay without proof, because the defect is in the way. */
  readonly unproven?: readonly string[]
  /** Requirements of which nothing is compared but what must turn: with this defect it depends on who is first. */
  readonly varies?: readonly string[]
  /** Scenarios that the focused proof drives besides: only compared with them, what it does in others shows in the whole run. */
  readonly comparedWith?: readonly string[]
  /** What the vendor of such an implementation would configure otherwise. */
  readonly configuration?: Settings
}

/** A lawful variation, which turns nothing. */
export interface Oddity extends Variation {
  readonly permitted: string
  readonly touches: readonly string[]
}

/** How the reference implementation of a profile is driven in the proof: `proof/settings.ts`. */
export interface ProofSettings {
  /** What differs from the settings that the profile certifies its reference implementation with. */
  readonly configuration: Settings
  /** How it is started as it is, and varied, where it is no program of Node in `dist/`. */
  readonly programs?: { readonly main: readonly string[]; readonly varied: readonly string[] }
  /** Scenarios that are driven where the focused proof judges what is judged of the whole run. */
  readonly restsOn: readonly string[]
  /** Scenarios that need what the reference implementation itself does not offer; some variations do. */
  readonly notOffered?: readonly string[]
}

export interface Role {
  readonly profile: AnyProfile
  readonly defects: readonly Variation[]
  readonly oddities: readonly Oddity[]
  readonly expected: Readonly<Record<string, Expectation>>
  readonly settings: ProofSettings
}
