import { challengesAll } from '../judges/challenge.ts'
import { check, control, scenario } from './define.ts'

export const otherCaller = scenario({
  id: 'other-caller',
  title: 'a client with another name calls without a token',
  control,
  async drive({ call }) {
    await call()
    await call({ caller: { 'user-agent': 'another-client/1.0' } })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/every-caller',
      'challenges that client as well',
      challengesAll,
    ),
  ],
})
