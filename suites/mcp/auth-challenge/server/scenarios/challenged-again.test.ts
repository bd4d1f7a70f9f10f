import { expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { challengeExamples, leadsToMetadata } from '../examples.ts'
import { options, recording } from '../testing.ts'
import {
  challengedAfterUse,
  challengedForScope,
  challengedWhenExpired,
} from './challenged-again.ts'

const examplesAfter = (before: () => ReturnType<typeof recording>) => ({
  ...challengeExamples(before),
  'mcp-auth-challenge/server/metadata-in-later-challenges': leadsToMetadata(before),
})
const examples = examplesAfter(() => recording().followed())

describeExamples(
  [challengedWhenExpired, challengedForScope, challengedAfterUse],
  {
    'challenged-when-expired': examples,
    'challenged-for-scope': examples,
    'challenged-after-use': examplesAfter(() => recording().complete()),
  },
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
