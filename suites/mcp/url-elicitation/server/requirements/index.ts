/**
 * The catalogue of the server: every normative statement of the Elicitation pages about URL mode that is a server's to
 * keep, and of multi round-trip requests, which carry it from 2026-07-28 on. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import {
  clientRequirements,
  notAsked,
  raised,
  shared,
} from '../../../../oauth-client/requirements/index.ts'
import { answers } from './answers.ts'
import { asking } from './asking.ts'
import { excluded } from './excluded.ts'
import { identity } from './identity.ts'
import { roundTrips } from './round-trips.ts'

const keysElsewhere =
  'The keys by which the server validates the tokens of its own callers come from the same host.'

/** Rows that are asked otherwise than of other OAuth clients. */
const own: ReadonlyMap<string, Requirement> = new Map(
  [
    notAsked(shared('verify-api-certificate'), keysElsewhere),
    raised('token-bound-to-user', {
      basis: 'specification',
      source: 'MCP Elicitation, Statefulness; MCP Elicitation, Implementation Pattern',
    }),
  ].map((row) => [row.id, row]),
)

export const requirements: readonly Requirement[] = [
  ...asking,
  ...answers,
  ...identity,
  ...roundTrips,
  ...clientRequirements.map((row) => own.get(row.id) ?? row),
  ...excluded,
]
