import { expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { challengeExamples, leadsToMetadata } from '../examples.ts'
import { options, recording } from '../testing.ts'
import { challengedForScope, challengedWhenExpired } from './challenged-again.ts'

const examples = {
  ...challengeExamples(() => recording().followed()),
  'mcp-auth-challenge/server/metadata-in-later-challenges': leadsToMetadata(() =>
    recording().followed(),
  ),
}

describeExamples(
  [challengedWhenExpired, challengedForScope],
  { 'challenged-when-expired': examples, 'challenged-for-scope': examples },
  options,
)

test('that such a token is challenged is seen where the server is judged by it', () => {
  const called = recording('token-expired').followed().call()
  const seen = (recorded: ReturnType<typeof recording>) =>
    challengedWhenExpired.needs?.seen(new Map([['token-expired', recorded.transcript]]))
  expect(seen(called.http(401))).toBeUndefined()
  expect(seen(recording('token-expired').followed().call().challenged())?.type).toBe('response')
  expect(challengedWhenExpired.needs?.seen(new Map())).toBeUndefined()
})
