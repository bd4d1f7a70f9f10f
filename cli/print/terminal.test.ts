import { describe, expect, test } from 'vitest'
import { table, wantsColour, wrapped } from './terminal.ts'

describe('wantsColour', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('on a terminal: %s, with %j: %s', (isTerminal, env, expected) => {
    expect(wantsColour(isTerminal, env)).toBe(expected)
  })
})

test('wrapped breaks at blanks and keeps long words', () => {
  expect(wrapped('one two three fourteenletters', 12, '   ', '-> ')).toBe(
    '-> one two\n   three\n   fourteenletters',
  )
})

test('table aligns all columns but the last', () => {
  expect(
    table([
      ['a', 'bb', 'c'],
      ['aaa', 'b', 'ccc'],
    ]),
  ).toEqual(['a    bb  c', 'aaa  b   ccc'])
})
