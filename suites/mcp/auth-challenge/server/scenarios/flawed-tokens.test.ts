import { describeExamples } from '../../../../testing.ts'
import { lacking, notes, options, recording, type Cases } from '../testing.ts'
import {
  alteredAfterUse,
  flawedTokenScenarios,
  similarAudiences,
  tokensBySender,
} from './flawed-tokens.ts'

const called = () => recording().followed().token().call()
const control = recording('challenged-then-served').complete()
const judged = (recorded: ReturnType<typeof recording>) => [recorded, {}, control] as const

const listed = [{ id: 'n1', title: 'a note' }]

const refused: Cases = {
  pass: {
    'challenged again': judged(called().challenged()),
    'HTTP 401': judged(called().http(401)),
    'an error of the protocol': judged(called().error()),
    'an error result': judged(called().result({ isError: true, content: [] })),
    'the connection ends without an answer': judged(called().hungUp()),
  },
  violation: {
    served: judged(called().served()),
    'served with the scopes that it then asked for': judged(
      called().challenged(lacking).again().served(),
    ),
    'served the third time': judged(called().challenged().call().http(401).call().served()),
    'served with something else': judged(called().served('other notes')),
    'served as an error': judged(
      called().challenged(undefined, { content: [{ type: 'text', text: notes }] }),
    ),
    'served beside the challenge': [
      called().challenged(undefined, { structuredContent: { notes: listed } }),
      {},
      recording('challenged-then-served').complete(JSON.stringify(listed, null, 1)),
    ],
  },
  inconclusive: {
    'not answered': judged(called()),
    'the harness gave it up': judged(called().hungUp('given-up')),
    'the call was not made': judged(recording().followed().token()),
    'it was made without that token': judged(recording().followed().call().served()),
    'nothing tells what a token opens': called().challenged(),
    'the control was not served': [
      called().challenged(),
      {},
      recording('challenged-then-served').followed(),
    ],
  },
}

const unlike = [...flawedTokenScenarios, similarAudiences, ...tokensBySender]

describeExamples(
  unlike,
  Object.fromEntries(
    unlike.map(({ id }) => [id, { 'mcp-auth-challenge/server/enforce': refused }]),
  ),
  options,
)

const again = () => recording().complete().call()

describeExamples(
  [alteredAfterUse],
  {
    'token-altered-after-use': {
      'mcp-auth-challenge/server/enforce': {
        pass: { 'HTTP 401': again().http(401), 'challenged again': again().challenged() },
        violation: { served: again().served() },
        inconclusive: {
          'not answered': again(),
          'the call was not made': recording().complete(),
          'nothing was served before': recording().followed().call().challenged().call().served(),
        },
      },
    },
  },
  options,
)
