/** The catalogue of the planner: what PenguiFlow's page says of pausing for OAuth. Ids are stable and never reused. */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { excluded } from './excluded.ts'
import { leaks } from './leaks.ts'
import { pausing } from './pausing.ts'
import { resuming } from './resuming.ts'

export const requirements: readonly Requirement[] = [...pausing, ...resuming, ...leaks, ...excluded]
