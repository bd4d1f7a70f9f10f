/** Decisions are cited by their numbers, so each number names one. */

import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const names = readdirSync(new URL('../docs/decisions/', import.meta.url))

test('decisions are named by four digits and words', () => {
  for (const name of names) expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/)
})

test('no two decisions have the same number', () => {
  const numbers = names.map((name) => name.slice(0, 4))
  const twice = names.filter((name) => numbers.filter((n) => n === name.slice(0, 4)).length > 1)
  expect(twice).toEqual([])
})
