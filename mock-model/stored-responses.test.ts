import { expect, test } from 'vitest'
import { modelLimits } from './limits.ts'
import { StoredResponses } from './stored-responses.ts'

const stored = (id: string, bytes = 1) => {
  return { id, messages: [], items: [{ id: `item-${id}`, text: '' }], bytes }
}

test('forgets the oldest beyond the number that is kept, items included', () => {
  const responses = new StoredResponses()
  for (let nth = 0; nth <= modelLimits.storedResponses; nth += 1) responses.keep(stored(`r${nth}`))
  expect(responses.size).toBe(modelLimits.storedResponses)
  expect([responses.response('r0'), responses.item('item-r0')]).toEqual([undefined, undefined])
  expect(responses.item('item-r1')).toBeDefined()
})

test('forgets the oldest beyond the bytes that are kept', () => {
  const responses = new StoredResponses()
  const third = Math.ceil(modelLimits.storedBytes / 3)
  for (const id of ['a', 'b', 'c']) responses.keep(stored(id, third))
  expect(responses.response('a')).toBeUndefined()
  expect(responses.size).toBe(2)
})
