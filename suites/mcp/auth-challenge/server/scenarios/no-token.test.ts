import { describeExamples } from '../../../../testing.ts'
import { notes, options, recording, type Cases } from '../testing.ts'
import { misplacedToken } from '../view.ts'
import { claimedUser, tokenInUrl, wordForToken } from './no-token.ts'

const control = recording('challenged-then-served').complete()
const judged = (recorded: ReturnType<typeof recording>) => [recorded, {}, control] as const
const called = () => recording().deployed().call()

const strangers: Cases = {
  pass: {
    challenged: judged(called().challenged()),
    'refused by HTTP': judged(called().http(401)),
    'a request that is not understood': judged(called().http(400)),
    'each time': judged(called().challenged().call().http(401)),
  },
  violation: {
    served: judged(called().served()),
    'the last one is served': judged(called().challenged().call().served('other notes')),
    'served as an error': judged(
      called().challenged(undefined, { content: [{ type: 'text', text: notes }] }),
    ),
  },
  inconclusive: {
    'not answered': judged(called()),
    'no call was made': judged(recording().deployed()),
    'nothing tells what a token opens': called().challenged(),
  },
}

const sent = () => recording().followed().step(misplacedToken, { token: 'access_token-1' }).call()

const inUrl: Cases = {
  pass: {
    challenged: judged(sent().challenged()),
    'no such address': judged(sent().http(404)),
  },
  violation: { served: judged(sent().served()) },
  inconclusive: {
    'not answered': judged(sent()),
    'no call was made with it': judged(recording().followed()),
    'it has another token': judged(recording().followed().call().served()),
    'nothing tells what a token opens': sent().challenged(),
  },
}

describeExamples(
  [claimedUser, wordForToken, tokenInUrl],
  {
    'claimed-user': { 'mcp-auth-challenge/server/enforce': strangers },
    'word-for-a-token': { 'mcp-auth-challenge/server/enforce': strangers },
    'token-in-url': { 'mcp-auth-challenge/server/ignore-token-in-url': inUrl },
  },
  options,
)
