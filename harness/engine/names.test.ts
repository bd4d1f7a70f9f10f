import { expect, test } from 'vitest'
import { anyName, madeOtherwise, namesFor } from './names.ts'

const nonce = 'a-nonce-of-somebody'

test('names differ, and say what they name', () => {
  const newName = namesFor(nonce)
  const names = Array.from({ length: 100 }, () => newName('call'))
  expect(new Set(names).size).toBe(100)
  for (const name of names) expect(name).toMatch(/^call-[0-9a-f]{24}$/)
})

test('names that were made for a nonce are told from others', () => {
  const own = namesFor(nonce)('user')
  expect(madeOtherwise(`{"user_id":"${own}"}`, nonce)).toBe(false)
  expect(madeOtherwise(`{"user_id":"${own}"}`, 'another-nonce-is-this')).toBe(true)
  expect(madeOtherwise(`{"user_id":"${anyName('user')}"}`, nonce)).toBe(true)
})

test('names of an implementation that look alike do not matter', () => {
  const own = namesFor(nonce)('user')
  expect(madeOtherwise(`order-507f1f77bcf86cd799439011 ${own}`, nonce)).toBe(false)
  expect(madeOtherwise('nothing is named here', nonce)).toBe(false)
})
