import { expect, test } from 'vitest'
import { describesNothing } from './no-description.ts'

test.each([
  '',
  ' \n',
  'undefined',
  'Error: undefined',
  '[object Object]',
  'Error: [object Error]',
  '"null"',
  'None.',
  '{}',
])('%j describes nothing', (text) => {
  expect(describesNothing(text)).toBe(true)
})

test.each([
  'denied',
  'Error: denied',
  'access_denied',
  '{"error":"access_denied"}',
  'None of the items could be listed.',
  'The value is undefined.',
  '拒否されました',
  '❌',
])('%j describes something', (text) => {
  expect(describesNothing(text)).toBe(false)
})
