import { expect, test } from 'vitest'
import { recording } from '../testing.ts'
import { callsAtOnce, groupPerConversation } from './needs.ts'

test.each([
  ['two conversations, two groups', recording().running().running(), true],
  [
    'one group for both',
    recording().ask().invoke({ group_id: 'g' }).ask().invoke({ group_id: 'g' }),
    false,
  ],
  [
    'two groups in one conversation',
    recording().ask(1).invoke({ group_id: 'a' }).ask(1).invoke({ group_id: 'b' }),
    false,
  ],
  ['nothing', recording(), false],
])('a group for every conversation: %s', (_, { transcript }, offered) => {
  const seen = groupPerConversation.seen(new Map([['s', transcript]]))
  expect(seen !== undefined).toBe(offered)
})

const two = () => recording().ask().invoke().ask(1)

test.each([
  ['both are pending', two().invoke(), true],
  ['the second comes after the result of the first', two().on(1).result().on(2, 1).invoke(), false],
  ['in two conversations', recording().running().running(), false],
  ['one call', recording().running(), false],
])('calls at once: %s', (_, { transcript }, offered) => {
  const seen = callsAtOnce.seen(new Map([['s', transcript]]))
  expect(seen !== undefined).toBe(offered)
})
