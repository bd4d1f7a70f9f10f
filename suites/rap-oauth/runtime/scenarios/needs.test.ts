import { expect, test } from 'vitest'
import { recording } from '../testing.ts'
import { groupPerConversation } from './needs.ts'

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
