import { forgetsToken } from '../judges/access.ts'
import { check, control, scenario } from './define.ts'

export const tokenLeftOut = scenario({
  id: 'token-left-out',
  title: 'a call without a token follows one that was served, on the same connection',
  control,
  async drive({ call, follow, callSignedIn }) {
    const chain = await follow(await call())
    await callSignedIn(chain)
    await call()
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'does not take a session for a token',
      forgetsToken('a call without a token'),
    ),
  ],
})
