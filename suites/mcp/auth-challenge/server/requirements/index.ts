/**
 * The catalogue of the server: every statement of SEP-1489 that is a server's to keep, and what MCP Authorization and
 * OAuth demand of the resource server that it is. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { challenge } from './challenge.ts'
import { excluded } from './excluded.ts'
import { metadata } from './metadata.ts'
import { tokens } from './tokens.ts'

export const requirements: readonly Requirement[] = [
  ...challenge,
  ...metadata,
  ...tokens,
  ...excluded,
]
