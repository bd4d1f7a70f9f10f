import { expect, test } from 'vitest'
import { otherCase } from './other-case.ts'

test('letters are exchanged, and nothing else', () => {
  expect(otherCase('aB9-_é')).toBe('Ab9-_é')
  expect(otherCase(otherCase('Za.1'))).toBe('Za.1')
})
