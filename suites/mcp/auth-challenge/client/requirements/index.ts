/**
 * The catalogue of the client: every statement of SEP-1489 that is a client's to keep, what MCP Authorization adds, and
 * what OAuth asks of every client. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { excluded } from './excluded.ts'
import { following } from './following.ts'
import { refusing } from './refusing.ts'
import { sharedRows } from './shared.ts'

export const requirements: readonly Requirement[] = [
  ...following,
  ...refusing,
  ...sharedRows,
  ...excluded,
]
