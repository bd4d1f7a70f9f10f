/**
 * The catalogue of the server: every normative statement of the Elicitation pages about URL mode that is a server's to
 * keep, and of multi round-trip requests, which carry it from 2026-07-28 on. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { clientRequirements, notAsked } from '../../../../oauth-client/requirements/index.ts'
import { answers } from './answers.ts'
import { asking } from './asking.ts'
import { excluded } from './excluded.ts'
import { identity } from './identity.ts'
import { roundTrips } from './round-trips.ts'

const keysElsewhere =
  'The keys by which the server validates the tokens of its own callers come from the same host.'

export const requirements: readonly Requirement[] = [
  ...asking,
  ...answers,
  ...identity,
  ...roundTrips,
  ...clientRequirements.map((row) =>
    row.id === 'oauth-client/verify-api-certificate' ? notAsked(row, keysElsewhere) : row,
  ),
  ...excluded,
]
