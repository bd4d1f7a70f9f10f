/**
 * The catalogue of the manager: what PenguiFlow's page says of it, and what OAuth asks of whoever sends users away and
 * redeems what they come back with. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../harness/engine/index.ts'
import { flows } from './flows.ts'
import { oauthClient } from './oauth-client.ts'
import { requests } from './requests.ts'
import { tokens } from './tokens.ts'

export const requirements: readonly Requirement[] = [
  ...requests,
  ...flows,
  ...tokens,
  ...oauthClient,
]
