import { expect, test } from 'vitest'
import { saysAll, toldIn } from './told-to-model.ts'

test('what the model has said itself is not told to it', () => {
  const messages = [
    { role: 'user', text: 'a' },
    { role: 'assistant', text: 'b' },
    { role: 'tool', text: '', toolResults: [{ text: 'c' }] },
  ]
  expect(toldIn(messages)).toEqual(['a', '', 'c'])
})

test.each([
  ['as JSON', '{"items":[{"id":"i1","price":2}]}', true],
  ['as Python prints it', "{'items': [{'id': 'i1', 'price': 2}]}", true],
  ['in words', 'There is i1, for 2.', true],
  ['not all of it', 'There is i1.', false],
])('a result %s', (_, text, said) => {
  expect(saysAll([text], { items: [{ id: 'i1', price: 2 }] })).toBe(said)
})

test('a text of a hundred thousand lists is a text', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(saysAll([`so: ${deep}`], { result: deep })).toBe(true)
  expect(saysAll(['nothing'], { result: deep })).toBe(false)
})
