import { Unreached } from '../../../../../harness/engine/index.ts'
import { undisturbedChecks } from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { followsAsByHttp, followsChain, namesResource } from '../judges/following.ts'
import { check } from '../judges/judge.ts'
import { retriesOnce, waitsForToken } from '../judges/retrying.ts'
import { asked } from './asked.ts'
import { control, scenario } from './define.ts'

export const array = scenario({
  id: 'array',
  title: 'a call is challenged in its result, its user signs in, the call is made again',
  async drive({ open, user, observe }) {
    const client = open(user)
    const call = client.begin()
    await call.attempted()
    if (!(await call.opens())) {
      // Who follows a later challenge only is told from who follows none.
      const later = client.begin()
      await later.opens()
      throw new Unreached('the challenge led to no flow')
    }
    // What is repeated too early comes now.
    await observe()
    await user.approve(call)
    await call.served()
    await observe()
  },
  checks: [
    check('mcp-auth-challenge/client/follow-chain', 'follows the challenge', followsChain()),
    check(
      'mcp-auth-challenge/client/no-retry-without-token',
      'repeats nothing while its user signs in',
      waitsForToken,
    ),
    check(
      'mcp-auth-challenge/client/retry-with-token',
      'makes the call again with the token',
      retriesOnce,
    ),
    check(
      'mcp-auth-challenge/client/resource-parameter',
      'says which server the token is for',
      namesResource,
    ),
    ...asked(undisturbedChecks(handoff)),
  ],
})

/** Says what a client can do whose gate does not work. */
export const http401 = scenario({
  id: 'http-401',
  title: 'the same need, said by HTTP 401 before anything else',
  control,
  async drive({ open, user }) {
    const client = open(user, { rules: { asksBy: 'http' } })
    const call = client.begin()
    await client.signIn()
    await user.approve(call)
    await call.served()
  },
  checks: [
    check(
      'mcp-auth-challenge/client/follow-chain',
      'follows a challenge in a result as it does one of HTTP',
      followsAsByHttp,
    ),
  ],
})
