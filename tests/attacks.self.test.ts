/**
 * The attack list: what a vendor, a file or an implementation tries, and that it is refused, detected or bounded. Almost
 * all of it forges one recorded run and reads it back in this process. The table of it stands in SECURITY.md.
 */

// oxlint-disable import/no-unassigned-import -- each theme declares its tests
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { readResults } from '../reports/index.ts'
import { copy, figures, removeHomes, removeSigned, verify } from './attacks/bundle.ts'
import './attacks/files.ts'
import './attacks/implementations.ts'
import './attacks/keys.ts'
import './attacks/recordings.ts'
import './attacks/run-records.ts'
import './attacks/statements.ts'
import './attacks/terminals.ts'

afterEach(removeHomes)
afterAll(async () => {
  await removeSigned()
  const all = figures.refused + figures.detected + figures.bounded
  const { refused, detected, bounded } = figures
  console.log(`${all} attacks: ${refused} refused, ${detected} detected, ${bounded} bounded`)
})

test('a run as it was is verified once it is signed', async () => {
  const bundle = await copy()
  expect(await verify(bundle)).toBe(readResults(join(bundle, 'results.json')).verdict)
})
