/**
 * The catalogue of the tool role: every normative statement of RAP's OAuth chapter, the statements of the rest of
 * RAP that the flow depends on, and the rules of OAuth itself that an outside observer can check.
 * Ids are stable and never reused.
 */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { authorizationRequest } from './authorization-request.ts'
import { callback } from './callback.ts'
import { excluded } from './excluded.ts'
import { invocation } from './invocation.ts'
import { leaks } from './leaks.ts'
import { messages } from './messages.ts'
import { results } from './results.ts'
import { tokens } from './tokens.ts'

export const requirements: readonly Requirement[] = [
  ...invocation,
  ...messages,
  ...authorizationRequest,
  ...callback,
  ...results,
  ...tokens,
  ...leaks,
  ...excluded,
]
