import { keepsUsersApart } from '../judges/access.ts'
import { check, control, retried, scenario } from './define.ts'

export const twoUsers = scenario({
  id: 'two-users',
  title: 'a user calls, then another one, then the first one again',
  control,
  needs: { what: 'results that name the account of their user', seen: () => undefined },
  async drive({ call, follow, callAs, needsName }) {
    const chain = await follow(await call())
    await callAs('one', chain)
    needsName(retried)
    await callAs('another', chain)
    await callAs('one', chain)
  },
  checks: [
    check(
      'mcp-auth-challenge/server/own-account',
      'tells each user what is their own',
      keepsUsersApart,
    ),
  ],
})
