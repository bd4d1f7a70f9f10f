/** What all steps of this server share: its settings, its parts, and what it keeps. */

import type { BoundFetch } from './bound-fetch.ts'
import type { Config } from './config.ts'
import type { Parts } from './parts.ts'
import type { Provider } from './provider.ts'
import type { Queue } from './queue.ts'
import type { Records } from './sealed-files.ts'

export interface Work {
  readonly config: Config
  readonly parts: Parts
  readonly fetch: BoundFetch
  readonly provider: () => Promise<Provider>
  readonly records: Records
  readonly queue: Queue
}
