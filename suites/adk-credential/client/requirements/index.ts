/**
 * The catalogue of the client application: what ADK's documents ask of whoever walks a user through consent, and what OAuth
 * asks of whoever handles a callback. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { answering } from './answering.ts'
import { excluded } from './excluded.ts'
import { opening } from './opening.ts'

export const requirements: readonly Requirement[] = [...opening, ...answering, ...excluded]
