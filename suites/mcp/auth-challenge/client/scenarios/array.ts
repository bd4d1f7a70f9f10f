import { Unreached } from '../../../../../harness/engine/index.ts'
import { undisturbedChecks } from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { followsChain, namesResource } from '../judges/following.ts'
import { check } from '../judges/judge.ts'
import { retriesOnce, waitsForToken } from '../judges/retrying.ts'
import { asked } from './asked.ts'
import type { Fixtures, Opened } from '../test-bed.ts'
import { control, scenario } from './define.ts'

/** Who follows a later challenge, one that is a string, or the same one by HTTP, is told from who follows none. */
async function tryOtherwise({ open, user }: Fixtures, client: Opened): Promise<void> {
  for (const server of await client.servers()) server.follow({ challenge: (bearer) => bearer })
  if (await client.begin().opens()) return
  const other = open(user, { rules: { asksBy: 'http' } })
  const byHttp = other.begin()
  await other.signIn()
  await byHttp.opens()
}

export const array = scenario({
  id: control,
  title: 'a call is challenged in its result, its user signs in, the call is made again',
  async drive(fixtures) {
    const { open, user, observe } = fixtures
    const client = open(user)
    const call = client.begin()
    await call.attempted()
    if (!(await call.opens())) {
      await tryOtherwise(fixtures, client)
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
