/**
 * The catalogue of the agent: what ADK's documents say of credential requests, and what OAuth asks of whoever redeems a
 * code. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { answers } from './answers.ts'
import { asking } from './asking.ts'
import { excluded } from './excluded.ts'
import { leaks } from './leaks.ts'
import { oauthClient } from './oauth-client.ts'

export const requirements: readonly Requirement[] = [
  ...asking,
  ...answers,
  ...leaks,
  ...oauthClient,
  ...excluded,
]
