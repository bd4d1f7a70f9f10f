/**
 * The catalogue of the server: what SEP-1028 asks of it, and what OAuth asks of whoever redeems a code. Ids are stable and
 * never reused.
 */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { answers } from './answers.ts'
import { asking } from './asking.ts'
import { callers } from './callers.ts'
import { excluded } from './excluded.ts'
import { oauthClient } from './oauth-client.ts'

export const requirements: readonly Requirement[] = [
  ...asking,
  ...answers,
  ...callers,
  ...oauthClient,
  ...excluded,
]
