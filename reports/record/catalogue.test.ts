import { expect, test } from 'vitest'
import { canonicalJson, catalogueDigest, type Catalogue } from './catalogue.ts'
import { catalogueBase } from '../testing.ts'

const requirement = {
  id: 'p/tool/a',
  keyword: 'MUST',
  basis: 'specification',
  source: 's',
  text: 't',
} as const
const catalogue: Catalogue = {
  ...catalogueBase,
  requirements: [requirement],
  scenarios: [
    { id: 's', title: 'a situation', checks: [{ requirement: 'p/tool/a', title: 'does' }] },
  ],
}

test('does not depend on the order of keys, nor on what is no part of the catalogue', () => {
  const { text, ...rest } = requirement
  const reordered = { ...catalogue, drive: () => undefined, requirements: [{ text, ...rest }] }
  expect(catalogueDigest(reordered)).toBe(catalogueDigest(catalogue))
  const advised = { ...catalogue, requirements: [{ ...requirement, mend: 'Do it.' }] }
  expect(catalogueDigest(advised)).toBe(catalogueDigest(catalogue))
  expect(catalogueDigest(catalogue)).toMatch(/^sha256:[0-9a-f]{64}$/)
})

test('depends on every statement, scenario and check', () => {
  const [scenario] = catalogue.scenarios
  const changed: Catalogue[] = [
    { ...catalogue, requirements: [{ ...requirement, keyword: 'SHOULD' }] },
    { ...catalogue, scenarios: [] },
    { ...catalogue, scenarios: [{ ...scenario!, control: 's' }] },
    { ...catalogue, scenarios: [{ ...scenario!, checks: [] }] },
    { ...catalogue, id: 'q/tool' },
  ]
  const digests = [catalogue, ...changed].map(catalogueDigest)
  expect(new Set(digests).size).toBe(digests.length)
})

test('canonical JSON sorts keys at every depth and keeps the order of arrays', () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined, a: 2 }, 1], a: null })).toBe(
    '{"a":null,"b":[{"a":2,"d":1},1]}',
  )
})
