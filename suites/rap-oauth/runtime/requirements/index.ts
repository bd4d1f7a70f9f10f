/**
 * The catalogue of the runtime role: every normative statement of RAP's OAuth chapter, the statements of the rest of
 * RAP that the flow depends on, and the rules of OAuth itself that an outside observer can check.
 * Ids are stable and never reused.
 */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { authorization } from './authorization.ts'
import { callbacks } from './callbacks.ts'
import { delivery } from './delivery.ts'
import { excluded } from './excluded.ts'
import { invocation } from './invocation.ts'
import { lifecycle } from './lifecycle.ts'
import { users } from './users.ts'

export const requirements: readonly Requirement[] = [
  ...authorization,
  ...invocation,
  ...callbacks,
  ...users,
  ...delivery,
  ...lifecycle,
  ...excluded,
]
