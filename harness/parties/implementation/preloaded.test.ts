import { expect, test } from 'vitest'
import { withAdditions } from './preloaded.ts'

test.each([
  ['is added', {}, { NODE_OPTIONS: '--a' }],
  ['takes the place of nothing', { NODE_OPTIONS: '' }, { NODE_OPTIONS: '--a' }],
  ['comes last', { NODE_OPTIONS: '--b' }, { NODE_OPTIONS: '--b --a' }],
  ['is not repeated', { NODE_OPTIONS: '--a --b' }, { NODE_OPTIONS: '--a --b' }],
])('an element of a list %s', (_, environment, expected) => {
  expect(withAdditions(environment, { NODE_OPTIONS: '--a' })).toEqual(expected)
})

test('what is no list stays as it was configured', () => {
  expect(
    withAdditions({ FILE: '/own' }, { FILE: '/ours', OTHER: '1' }, { LD_PRELOAD: 'x' }),
  ).toEqual({
    FILE: '/own',
    OTHER: '1',
    LD_PRELOAD: 'x',
  })
})
