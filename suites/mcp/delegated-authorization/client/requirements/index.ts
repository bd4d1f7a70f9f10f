/** The catalogue of the client: what SEP-1028 asks of it. Ids are stable and never reused. */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { callback } from './callback.ts'
import { consent } from './consent.ts'
import { excluded } from './excluded.ts'

export const requirements: readonly Requirement[] = [...consent, ...callback, ...excluded]
