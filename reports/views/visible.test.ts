import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { indentedJson, visible } from './visible.ts'

test('writes out what would act instead of being seen', () => {
  expect(visible('a\u001b[31mb\u202ec\u0000\ud800\r\nd\te\u2028')).toBe(
    'a‹U+001B›[31mb‹U+202E›c‹U+0000›‹U+D800›\nd\te‹U+2028›',
  )
})

test('says how much was cut', () => {
  expect(visible('x'.repeat(1024 * 1024), 10)).toBe(`${'x'.repeat(10)}… (1048566 more characters)`)
})

test('nothing invisible is left of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(visible(text)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    }),
  )
})

test('nesting without end is named', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
  expect(indentedJson(deep)).toBe('(nested too deeply to be shown)')
})
