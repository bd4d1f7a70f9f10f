import { expect, test } from 'vitest'
import { resultsTold } from './results-told.ts'

const served = 'Welcome, subject-of-user-1'
const called = (...names: readonly string[]) => ({
  role: 'assistant',
  text: '',
  toolCalls: names.map((name) => ({ id: `of-${name}`, name })),
})
const result = (name: string, text: string) => ({
  role: 'tool',
  text,
  toolResults: [{ callId: `of-${name}`, text }],
})
const said = (text: string) => ({ role: 'user', text })
const both = ['items_list', 'notes_list']

test.each([
  ['both results', [called(...both), result('items_list', served), result('notes_list', served)]],
  [
    'both, with prefixes',
    [
      called('a.items_list', 'a.notes_list'),
      result('a.items_list', served),
      result('a.notes_list', served),
    ],
  ],
  ['a message for each', [said(served), said(served)]],
])('done: %s', (_, messages) => {
  expect(resultsTold(messages, both, 0)).toBe(true)
})

test.each([
  ['nothing', []],
  ['one result, told twice', [called(...both), result('items_list', `${served} ${served}`)]],
  [
    'one result, and a message that repeats it',
    [called(...both), result('items_list', served), said(served)],
  ],
  ['one waits', [called(...both), result('items_list', served), result('notes_list', 'waits')]],
  ['one message', [said(`${served} ${served}`)]],
  ['what the model itself says', [{ role: 'assistant', text: served }, said(served)]],
])('not done: %s', (_, messages) => {
  expect(resultsTold(messages, both, 1)).toBe(false)
})

test('one message may tell of both, which shows in the tokens that were used', () => {
  expect(resultsTold([said(served)], both, 2)).toBe(true)
  expect(resultsTold([said('nothing yet')], both, 2)).toBe(false)
})
