/** What the verbs of a scenario act with. */

import type { OffSlot, Patience, Recorder, Run } from '../../../harness/engine/index.ts'
import type { Transport } from '../../../harness/parties/index.ts'
import type { Attribution } from './attribution.ts'
import type { Instance } from './instance.ts'
import type { ModelScript } from './model-script.ts'
import type { InvocationScope } from './toolset-server.ts'

export interface SessionParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly transport: Transport
  readonly attribution: Attribution
  readonly script: ModelScript
  readonly instance: Instance
  readonly patience: Patience
  readonly surfaceMs: number
  /** Whether users are shown nothing but in the answers to what they say. */
  readonly answersOnly: boolean
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  /** Tells the toolsets whose an invocation with this reference is. */
  readonly expect: (reference: string, scope: InvocationScope) => void
}
