import { expect, test } from 'vitest'
import { withoutObeyed } from './json.ts'

test('holds nothing that a terminal obeys, and the same value', () => {
  const hostile = { name: '\u009b31mred\u202e\u2028\u{e0041}\u007f\u001b é 語 😀' }
  const json = JSON.stringify(hostile)
  const shown = withoutObeyed(json)
  // oxlint-disable-next-line no-control-regex -- what a terminal obeys is what is looked for
  expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(shown).toContain('é 語 😀')
  expect(JSON.parse(shown)).toEqual(hostile)
})
