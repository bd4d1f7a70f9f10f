/** What all steps of this agent share: its settings, its parts, and what it keeps. */

import type { BoundFetch } from './bound-fetch.ts'
import type { Config } from './environment.ts'
import type { Parts } from './parts.ts'
import type { Queue } from './queue.ts'
import type { Records } from './sealed-files.ts'
import type { Sessions } from './session.ts'

export interface Work {
  readonly config: Config
  readonly parts: Parts
  /** For the provider and the API. */
  readonly fetch: BoundFetch
  /** For the model, which may think for a while. */
  readonly askFetch: BoundFetch
  readonly records: Records
  readonly sessions: Sessions
  readonly queue: Queue
}
