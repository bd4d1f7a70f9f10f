import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable, withoutEscapes } from './text.ts'

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b[31m',
      '\u009b1m',
      '\r',
      '\n',
      '\t',
      '\0',
      '\u007f',
      '\u0085',
      '\u001b]8;;x\u0007',
    ),
    fc.constantFrom('\u202e', '\u2066', '\u200b', '\u200f', '\ufeff', '\u2069'),
    fc.constantFrom('a', ' ', 'é', '😀', '<', '&'),
    fc.string({ unit: 'binary', maxLength: 2 }),
  ),
  maxLength: 80,
})

test.each([
  ['a hyperlink', '\u001b]8;id=7;https://a/?b=c+d&e=$(f)\u001b\\here\u001b]8;;\u001b\\', 'here'],
  ['one that ends with a bell', '\u001b]8;;https://a/?b=c+d\u0007here\u001b]8;;\u0007', 'here'],
  ['one in single characters', '\u009d8;;https://a/+\u009chere\u009d8;;\u009c', 'here'],
  ['the title of the window', '\u001b]0;busy + more\u0007Open it?', 'Open it?'],
  ['colours', '\u001b[1;36mhost\u001b[0m', 'host'],
])('a terminal does not show what is in %s', (_, text, shown) => {
  expect(withoutEscapes(text)).toBe(shown)
})

describe('printable text', () => {
  test('contains no control characters, whatever it was made of', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(text)).not.toMatch(/\p{Cc}/u)
      }),
    )
  })

  test('contains none of the characters that reorder or hide the text around them', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(text)).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/)
      }),
    )
  })

  test('is bounded, and says so where something was left out', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const shown = printable(text, limit)
        expect(shown.length).toBeLessThanOrEqual(limit + '…'.length)
        expect(shown.length > limit).toBe(shown.length === limit + 1 && shown.endsWith('…'))
      }),
    )
    expect(printable('x'.repeat(1_000_000))).toBe(`${'x'.repeat(300)}…`)
    expect(printable(`${'\u0000'.repeat(5000)}x`)).toBe('…')
  })

  test('is the text itself where that is harmless', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 100 }), (text) => {
        expect(printable(text)).toBe(text.trim())
      }),
    )
    expect(printable('Jürgen 😀 利用者')).toBe('Jürgen 😀 利用者')
  })

  test('stays on one line', () => {
    expect(printable('a\r\n\tb\u001b[2Jc')).toBe('a bc')
  })

  test.each([
    ['U+061C, the Arabic letter mark', '\u061c'],
    ['U+2028, the line separator', '\u2028'],
    ['U+2029, the paragraph separator', '\u2029'],
  ])('contains no %s', (_, character) => {
    expect(printable(`a${character}b`)).not.toContain(character)
  })

  test('is not cut within a character', () => {
    expect(printable('aaa😀', 4)).toBe('aaa…')
  })
})
