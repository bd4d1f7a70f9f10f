import { expect, test } from 'vitest'
import { recording } from '../../testing.ts'
import { pauseAfterRefusal } from './needs.ts'

const refusedIn = (call: string) =>
  recording()
    .served()
    .begin()
    .on('call-1')
    .access({ outcome: 'refused', error: 'invalid_token' })
    .on(call)

test.each([
  ['it pauses in that run', refusedIn('call-2').paused(), true],
  ['it ends', refusedIn('call-2').finished(), false],
  [
    'it ends, and pauses when somebody says it once more',
    refusedIn('call-2').finished().begin().paused(),
    false,
  ],
  [
    'it pauses for something else',
    refusedIn('call-2').paused({ pause_type: undefined, auth_url: undefined }),
    false,
  ],
  [
    'the API has failed, and it pauses',
    recording().asked().consent().granted().resume().access({ outcome: 'refused' }).paused(),
    false,
  ],
  ['nothing was refused', recording().served().begin().paused(), false],
  ['nothing', recording(), false],
])('a pause after a refused token: %s', (_, { transcript }, offered) => {
  expect(pauseAfterRefusal.seen(new Map([['s', transcript]])) !== undefined).toBe(offered)
})
