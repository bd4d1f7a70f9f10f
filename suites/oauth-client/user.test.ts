import { expect, test } from 'vitest'
import { User, type UserParts } from './user.ts'

/** A user of a client whose tokens are used within half a second. */
function userOf(refreshLeewayMs?: number): User {
  const parts = {
    id: 'user-1',
    deployment: {},
    run: { signal: undefined, timing: {} },
    lendSlot: (work: Promise<unknown>) => work,
    patience: { known: () => Promise.resolve(), within: (_: string, least: number) => least + 500 },
    refreshLeewayMs,
  }
  return new User(parts as unknown as UserParts)
}

test('a token that is to expire soon lives long enough to be used', async () => {
  expect(await userOf().shortLife()).toBe(3)
})

test('and longer for a client that takes the last minute for none', async () => {
  expect(await userOf(60_000).shortLife()).toBe(63)
})
