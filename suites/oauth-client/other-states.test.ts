import { expect, test } from 'vitest'
import { alteredState, extendedState, stateInOtherCase } from './other-states.ts'

test.each([
  ['hexadecimal', 'AAAAAAAA', 'AAAAbAAA'],
  ['in small letters', 'aaaaaaaa', 'aaaabaaa'],
  ['anything else', 'xyz-4711', 'xyz-a711'],
])('a state that is %s is another one, whether case counts or not', (_, state, other) => {
  expect(alteredState(state)).toBe(other)
  expect(alteredState(state).toLowerCase()).not.toBe(state.toLowerCase())
})

test('late, but not at the end', () => {
  expect(alteredState('0123456789', 4 / 5)).toBe('01234567a9')
})

test('what follows the padding of base64 is not read', () => {
  expect(extendedState('Z0FBQUFB=')).toBe('Z0FBaUFB=')
  expect(extendedState('Z0FBQUFB')).toBe('Z0FBQUFB-and-more')
})

test('case is swapped where it means something', () => {
  expect(stateInOtherCase('aB-1')).toBe('Ab-1')
  expect(stateInOtherCase('AB-1')).toBe('ABa1')
})
