/**
 * The catalogue of the client: every normative statement of the Elicitation pages about URL mode that is a client's to
 * keep, and of multi round-trip requests, which carry it from 2026-07-28 on. Ids are stable and never reused.
 */

import type { Requirement } from '../../../../../harness/engine/index.ts'
import { answers } from './answers.ts'
import { consent } from './consent.ts'
import { excluded } from './excluded.ts'
import { roundTrips } from './round-trips.ts'

export const requirements: readonly Requirement[] = [
  ...consent,
  ...answers,
  ...roundTrips,
  ...excluded,
]
