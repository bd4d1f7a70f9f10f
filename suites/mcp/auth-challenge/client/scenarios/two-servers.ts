import { needsTwoServers } from '../conditions.ts'
import { check } from '../judges/judge.ts'
import { keepsTokensApart } from '../judges/refusing.ts'
import { control, scenario } from './define.ts'

export const twoServers = scenario({
  id: 'two-servers',
  title:
    'a token for one server, and a call of another one, which wants its own of the same issuer',
  control,
  notApplicable: needsTwoServers,
  async drive({ open, user, mark }) {
    const client = open(user)
    const call = client.begin()
    await user.approve(call)
    await call.served()
    mark('other-server')
    const other = client.begin(1)
    await user.approve(other)
    await other.served()
  },
  checks: [
    check(
      'mcp-auth-challenge/client/token-to-own-origin',
      'keeps the token of one server from the other',
      keepsTokensApart,
    ),
  ],
})
