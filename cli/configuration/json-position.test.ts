import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { jsonErrorPosition } from './json-position.ts'

test.each([
  ['{"a":}', 1, 6],
  ['{\n  "a": 1,\n}', 3, 1],
  ['[1, 2', 1, 6],
  ['{"a" 1}', 1, 6],
  ['nope', 1, 1],
  ['{"a": 1} x', 1, 10],
  ['{"a": tru}', 1, 7],
  ['{"a": "b\nc"}', 1, 7],
  ['{a: 1}', 1, 2],
  ['[01]', 1, 2],
  ['', 1, 1],
])('%j stops being JSON at %i:%i', (text, line, column) => {
  expect(jsonErrorPosition(text)).toEqual({ line, column })
})

test('reaches the end of whatever is JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { line, column } = jsonErrorPosition(text)
      const before = text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length
      expect(before + column - 1).toBe(text.length)
    }),
  )
})
