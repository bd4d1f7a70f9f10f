/** Requirements: what is not asked of a planner, and why. */

import type { Requirement } from '../../../../harness/engine/index.ts'

const page = 'PenguiFlow OAuth & HITL'

export const excluded: readonly Requirement[] = [
  {
    id: 'penguiflow-oauth/planner/pause-counted',
    keyword: 'SHOULD',
    basis: 'specification',
    source: `${page}, Observability`,
    text: 'Pauses, times to resume and callbacks are counted.',
    excluded: 'Metrics are the application’s, and no outside observer sees them.',
  },
  {
    id: 'penguiflow-oauth/planner/pause-expires',
    keyword: 'SHOULD',
    basis: 'specification',
    source: `${page}, Failure modes & recovery`,
    text: 'The life of a handle fits the time that a consent takes.',
    excluded: 'How long a record is kept is left to the state store of the application.',
  },
]
