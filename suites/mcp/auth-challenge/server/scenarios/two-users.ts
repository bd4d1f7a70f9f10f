import { keepsUsersApart } from '../judges/access.ts'
import type { Fixtures } from '../test-bed.ts'
import { check, control, retried, scenario } from './define.ts'

const needs = { what: 'results that name the account of their user', seen: () => undefined }

/** That user calls, then another one, then the first one again. */
const inTurn =
  (first: 'one' | 'otherCase', needed: 'needsName' | 'needsOwnName') =>
  async (fixtures: Fixtures): Promise<void> => {
    const { call, follow, callAs } = fixtures
    const chain = await follow(await call())
    await callAs(first, chain)
    fixtures[needed](retried)
    await callAs('another', chain)
    await callAs(first, chain)
  }

export const twoUsers = scenario({
  id: 'two-users',
  title: 'a user calls, then another one, then the first one again',
  control,
  needs,
  drive: inTurn('one', 'needsName'),
  checks: [
    check(
      'mcp-auth-challenge/server/own-account',
      'tells each user what is their own',
      keepsUsersApart(3),
    ),
  ],
})

export const usersAtOnce = scenario({
  id: 'users-at-once',
  title: 'a user calls, then another one, and then both at once',
  control,
  needs,
  async drive({ call, follow, callAs, needsName, callAtOnce }) {
    const chain = await follow(await call())
    const one = await callAs('one', chain)
    needsName(retried)
    const another = await callAs('another', chain)
    await callAtOnce({ one, another })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/own-account',
      'tells each user what is their own, also where they call at once',
      keepsUsersApart(8),
    ),
  ],
})

/** Who shows names in small letters shows those of the first one so, and is not asked further. */
export const usersOfOtherCase = scenario({
  id: 'users-of-other-case',
  title: 'two users call whose names differ in case alone',
  control,
  needs,
  drive: inTurn('otherCase', 'needsOwnName'),
  checks: [
    check(
      'mcp-auth-challenge/server/own-account',
      'takes users for one only where their names are the same',
      keepsUsersApart(3),
    ),
  ],
})
